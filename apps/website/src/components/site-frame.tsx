import { homePath, pagePaths, pricingPath } from '../paths/page-paths.js';
import { pageFiles } from '../paths/page-files.js';
import { usePage } from '../view/page.js';
import { LinkButton } from './controls.js';

/** The mark and the name, which lead to the front page. */
export function Brand() {
  return (
    <a class="brand" href={homePath}>
      <img src={pageFiles.icon} alt="" width="24" height="24" /> {usePage().site.PRODUCT_NAME}
    </a>
  );
}

/** For everyone who is not on an account page. */
export function SiteNavigation({ offersSignUp = false }: { readonly offersSignUp?: boolean | undefined }) {
  const { referenceUrl, hasSession } = usePage();
  return (
    <nav class="tabs" aria-label="Site">
      <a href={referenceUrl}>Docs</a>
      <a href={pricingPath}>Pricing</a>
      {hasSession ? <a href={pagePaths.overview}>Your account</a> : <a href={pagePaths.signIn}>Sign in</a>}
      {offersSignUp && !hasSession && <LinkButton href={pagePaths.signUp}>Sign up</LinkButton>}
    </nav>
  );
}

/** Who runs the service and how to reach them, as far as the settings say. */
export function SiteFooter() {
  const { referenceUrl, site } = usePage();
  const { COMPANY, TERMS_URL, PRIVACY_URL, STATUS_URL, SUPPORT_EMAIL } = site;
  const support = SUPPORT_EMAIL && `mailto:${SUPPORT_EMAIL}`;
  const links = {
    Docs: referenceUrl,
    Terms: TERMS_URL,
    Privacy: PRIVACY_URL,
    Support: support,
    Status: STATUS_URL,
    'For creators: correct or remove your data': site.OPT_OUT_URL ?? support,
  };
  return (
    <>
      {COMPANY && <span>{COMPANY}</span>}
      {Object.entries(links).map(([name, address]) => address && <a href={address}>{name}</a>)}
    </>
  );
}
