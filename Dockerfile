# One image per service, and one of the command line: docker build --target gateway|website|catalog|billing|cli .
# with --build-arg COMMIT=$(git rev-parse HEAD).
ARG NODE_IMAGE=node:24.21.0-trixie-slim

FROM ${NODE_IMAGE} AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --no-audit --no-fund

FROM dependencies AS build
COPY tsconfig.json tsconfig.build.json LICENSE ./
COPY docs/openapi.json docs/api.md docs/
COPY docs/guides docs/guides
COPY tools/bootstrap tools/bootstrap
COPY tools/images tools/images
COPY tools/version tools/version
COPY tools/cli tools/cli
COPY tools/docs/site tools/docs/site
COPY libs libs
COPY apps apps
RUN node_modules/typescript-native/bin/tsc --project tsconfig.build.json && node dist/tools/docs/site/main.js
RUN for program in gateway website catalog billing cli; do node tools/images/copy-program.mjs "$program" "programs/$program"; done

FROM build AS build-info
ARG COMMIT
RUN node tools/version/record-build-info.mjs

# All that Node.js needs of the system: its libraries, the names of users, how names of hosts are looked up. The status of
# the packages tells scanners what these libraries are.
FROM ${NODE_IMAGE} AS runtime
RUN install --directory --mode=1777 /runtime/tmp \
  && install --directory /runtime/app /runtime/var/lib/dpkg/status.d \
  # For a volume of billing with its archive job (LEDGER_ARCHIVE_DIRECTORY).
  && install --directory --owner=1000 --group=1000 /runtime/var/lib/creator-search \
  && cp --parents --dereference /usr/local/bin/node $(ldd /usr/local/bin/node | grep --only-matching '/[^ ]*') \
    /etc/passwd /etc/group /etc/nsswitch.conf /etc/os-release /runtime \
  && for package in libc6 libgcc-s1 libstdc++6; do \
    dpkg --status "$package" > "/runtime/var/lib/dpkg/status.d/$package"; done

# No shell, no package manager, no compiler.
FROM scratch AS labelled
# Whoever builds from a repository passes its commit, and the commit's time in RFC 3339: the same sources give the same labels.
ARG COMMIT=unknown
ARG CREATED=1970-01-01T00:00:00Z
LABEL org.opencontainers.image.version=1.0.0 \
  org.opencontainers.image.revision=$COMMIT \
  org.opencontainers.image.created=$CREATED \
  org.opencontainers.image.licenses=MIT

FROM labelled AS service
COPY --from=runtime /runtime /
WORKDIR /app
ENV PATH=/usr/local/bin NODE_ENV=production INTERNAL_HOST=0.0.0.0 INTERNAL_PORT=9000
# By number, so that an orchestrator can see that it is not root.
USER 1000:1000
EXPOSE 9000
# A catalog reads its index at its start: 23 s for a million creators on two cores.
HEALTHCHECK --interval=5s --timeout=3s --start-period=300s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.INTERNAL_PORT}/health/ready`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]

FROM service AS gateway
LABEL org.opencontainers.image.title="Creator Search gateway"
ENV HOST=0.0.0.0 PORT=3000 ADMIN_HOST=0.0.0.0 ADMIN_PORT=3001
COPY --from=build /app/programs/gateway ./
COPY --from=build-info /app/dist/build.json dist/
EXPOSE 3000 3001
CMD ["node", "--single-threaded-gc", "--heap-growing-percent=200", "dist/apps/gateway/src/main.js"]

FROM service AS website
LABEL org.opencontainers.image.title="Creator Search website"
ENV SITE_HOST=0.0.0.0 SITE_PORT=3002
COPY --from=build /app/programs/website ./
COPY --from=build-info /app/dist/build.json dist/
EXPOSE 3002
CMD ["node", "--single-threaded-gc", "--optimize-for-size", "dist/apps/website/src/main.js"]

# The migration job is the same image: node dist/apps/catalog/src/migrate.js
FROM service AS catalog
LABEL org.opencontainers.image.title="Creator Search catalog"
# Parts of the index that have been replaced go back to the system at once, instead of staying in the process.
ENV MALLOC_MMAP_THRESHOLD_=131072
COPY --from=build /app/programs/catalog ./
COPY --from=build-info /app/dist/build.json dist/
CMD ["node", "--single-threaded-gc", "dist/apps/catalog/src/main.js"]

# The jobs are the same image: node dist/apps/billing/src/migrate.js, and archive.js
FROM service AS billing
LABEL org.opencontainers.image.title="Creator Search billing"
COPY --from=build /app/programs/billing ./
COPY --from=build-info /app/dist/build.json dist/
CMD ["node", "--single-threaded-gc", "--heap-growing-percent=200", "dist/apps/billing/src/main.js"]

# The command line for operators: docker run --rm --env ADMIN_URL --env ADMIN_TOKEN creator-search/cli accounts list
FROM labelled AS cli
LABEL org.opencontainers.image.title="Creator Search command line"
COPY --from=runtime /runtime /
WORKDIR /app
ENV PATH=/usr/local/bin
USER 1000:1000
COPY --from=build /app/programs/cli ./
COPY --from=build-info /app/dist/build.json dist/
ENTRYPOINT ["node", "dist/tools/cli/installed.js"]
