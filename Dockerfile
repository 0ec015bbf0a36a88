# One image per service: docker build --target gateway|catalog|billing .
ARG NODE_IMAGE=node:22.12.0-bookworm-slim

FROM ${NODE_IMAGE} AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --no-audit --no-fund

FROM ${NODE_IMAGE} AS production-dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund

FROM dependencies AS sources
COPY nest-cli.json tsconfig.json ./
COPY libs libs

FROM sources AS build-gateway
COPY apps/gateway apps/gateway
RUN npx nest build gateway

FROM sources AS build-catalog
COPY apps/catalog apps/catalog
RUN npx nest build catalog

FROM sources AS build-billing
COPY apps/billing apps/billing
RUN npx nest build billing

FROM ${NODE_IMAGE} AS service
# A service needs node alone: no package manager, no compiler.
RUN rm -rf /usr/local/lib/node_modules /usr/local/include /opt/yarn* \
  /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /usr/local/bin/yarn /usr/local/bin/yarnpkg
WORKDIR /app
ENV NODE_ENV=production NODE_OPTIONS=--enable-source-maps INTERNAL_HOST=0.0.0.0 INTERNAL_PORT=9000
COPY --from=production-dependencies /app/node_modules node_modules
COPY package.json ./
# By number, so that an orchestrator can see that it is not root.
USER 1000:1000
EXPOSE 9000
HEALTHCHECK --interval=5s --timeout=3s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.INTERNAL_PORT}/health/ready`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]

FROM service AS gateway
ENV HOST=0.0.0.0 PORT=3000 ADMIN_HOST=0.0.0.0 ADMIN_PORT=3001
COPY --from=build-gateway /app/dist/apps/gateway dist
EXPOSE 3000 3001
CMD ["node", "--single-threaded-gc", "--heap-growing-percent=200", "dist/apps/gateway/src/main.js"]

# The migration job is the same image: node dist/apps/catalog/src/migrate.js
FROM service AS catalog
# Parts of the index that have been replaced go back to the system at once, instead of staying in the process.
ENV MALLOC_MMAP_THRESHOLD_=131072
# For a volume of this replica alone; set INDEX_DIRECTORY to it.
USER root
RUN install -d -o 1000 -g 1000 /var/lib/creator-search
USER 1000:1000
COPY --from=build-catalog /app/dist/apps/catalog dist
CMD ["node", "--single-threaded-gc", "dist/apps/catalog/src/main.js"]

# The migration job is the same image: node dist/apps/billing/src/migrate.js
FROM service AS billing
COPY --from=build-billing /app/dist/apps/billing dist
CMD ["node", "--single-threaded-gc", "--heap-growing-percent=200", "dist/apps/billing/src/main.js"]
