/**
 * What the viewer leaves out for screen readers and the keyboard: attributes to set, or to remove (`null`), on the
 * elements that a selector finds.
 *
 * @type {readonly (readonly [selector: string, attributes: Readonly<Record<string, string | null>>])[]}
 */
const amendments = [
  ['.swagger-ui .information-container', { role: 'region', 'aria-label': 'About this API' }],
  ['.swagger-ui .scheme-container', { role: 'region', 'aria-label': 'API key' }],
  ['.modal-ux', { role: 'dialog', 'aria-modal': 'true', 'aria-label': 'API key' }],
  ['.modal-ux .close-modal', { 'aria-label': 'Close' }],
  // They hide the words on the button.
  ['.auth-container .modal-btn', { 'aria-label': null }],
  ['.auth-container h6', { role: 'heading', 'aria-level': '5' }],
  // It comes after the heading of the webhooks, which is of the second level.
  ['.models > h4', { role: 'heading', 'aria-level': '3' }],
  ['.auth-container input', { 'aria-label': 'API key', autocomplete: 'off', spellcheck: 'false' }],
  ['textarea.body-param__text', { 'aria-label': 'Request body' }],
  ['.examples-select-element', { 'aria-label': 'Example' }],
  // A table that calls itself a region is no table any more.
  ['.responses-table', { role: null }],
  ['pre.microlight', { tabindex: '0' }],
];

function amend() {
  for (const [selector, attributes] of amendments) {
    for (const element of document.querySelectorAll(selector)) setAttributes(element, attributes);
  }
  for (const select of document.querySelectorAll('[data-param-name] .parameters-col_description select')) {
    const name = select.closest('[data-param-name]')?.getAttribute('data-param-name');
    setAttributes(select, { 'aria-label': name ?? null });
  }
}

/**
 * @param {Element} element
 * @param {Readonly<Record<string, string | null>>} attributes
 */
function setAttributes(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (element.getAttribute(name) === value) continue;
    if (value === null) element.removeAttribute(name);
    else element.setAttribute(name, value);
  }
}

const dialogFocus = {
  /** Where the focus was before the dialog. */
  opener: /** @type {Element | null} */ (null),
  isOpen: false,
};

/** While the dialog is open the focus stays in it; then it goes back to where it was. */
function moveFocus() {
  const dialog = document.querySelector('.modal-ux');
  if (dialog) {
    dialogFocus.isOpen = true;
    if (!dialog.contains(document.activeElement)) focus(dialog.querySelector('input, .btn-done'));
  } else if (dialogFocus.isOpen) {
    dialogFocus.isOpen = false;
    focus(dialogFocus.opener);
  } else {
    dialogFocus.opener = document.activeElement;
  }
}

/** @param {Element | null} element */
function focus(element) {
  /** @type {HTMLElement | null} */ (element)?.focus();
}

/** Parts of the viewer that are replaced. */
const replacements = {
  wrapComponents: {
    // There is one server: this one.
    ServersContainer: () => () => null,
    // The name of an operation is a button already; a link in it could not be reached.
    DeepLink:
      (/** @type {unknown} */ _link, /** @type {{ React: { createElement: Function } }} */ { React }) =>
      (/** @type {{ text: string }} */ { text }) =>
        React.createElement('span', null, text),
  },
};

const dark = matchMedia('(prefers-color-scheme: dark)');
const followColourScheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', followColourScheme);
followColourScheme();

new MutationObserver(() => {
  amend();
  moveFocus();
}).observe(document.body, { childList: true, subtree: true });
document.addEventListener('focusin', moveFocus);

SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  plugins: [replacements],
  deepLinking: true,
  displayRequestDuration: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  syntaxHighlight: { theme: 'tomorrow-night' },
  // The key stays in memory, and nothing is sent to a validator.
  persistAuthorization: false,
  validatorUrl: null,
});
