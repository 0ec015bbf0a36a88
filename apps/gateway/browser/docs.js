/* Copying code, one language for all samples, and calls from the reference. The pages work without it. */

for (const block of document.querySelectorAll('.code')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'button';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.querySelector('code')?.textContent ?? '');
    button.textContent = 'Copied';
    setTimeout(() => (button.textContent = 'Copy'), 2_000);
  });
  block.append(button);
}

/** @type {NodeListOf<HTMLInputElement>} */
const choices = document.querySelectorAll('.languages > input');
for (const choice of choices) {
  choice.addEventListener('change', () => {
    const { top } = choice.getBoundingClientRect();
    for (const other of choices) if (other.value === choice.value) other.checked = true;
    // Samples above may have another height now.
    scrollBy(0, choice.getBoundingClientRect().top - top);
  });
}

/** @type {NodeListOf<HTMLInputElement>} */
const keys = document.querySelectorAll('[data-place="key"]');
for (const key of keys) {
  key.addEventListener('input', () => keys.forEach((other) => (other.value = key.value)));
}

for (const form of document.querySelectorAll('.try > form')) {
  form.parentElement?.removeAttribute('hidden');
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void send(/** @type {HTMLFormElement} */ (form));
  });
}

/**
 * Makes the call of a form, and shows its answer below.
 *
 * @param {HTMLFormElement} form
 */
async function send(form) {
  const result = /** @type {HTMLElement} */ (form.nextElementSibling);
  result.replaceChildren('Sending ...');
  try {
    const { path, ...request } = requestOf(form);
    const response = await fetch(path, { ...request, cache: 'no-store', credentials: 'omit' });
    const text = await response.text();
    const shown = [...response.headers].map(([name, value]) => `${name}: ${value}`);
    result.replaceChildren(
      line(`${response.status} ${response.statusText}`, 'strong'),
      code(shown.join('\n'), 'Headers'),
      ...(text === '' ? [] : [code(indented(text), 'Body')]),
    );
  } catch {
    result.replaceChildren(line('No response. Check your connection and try again.', 'p'));
  }
}

/** @param {HTMLFormElement} form */
function requestOf(form) {
  let path = form.dataset.path ?? '';
  const query = new URLSearchParams();
  const headers = new Headers();
  const body = form.querySelector('textarea')?.value ?? null;
  if (body !== null) headers.set('content-type', 'application/json');
  /** @type {NodeListOf<HTMLInputElement>} */
  const fields = form.querySelectorAll('[data-place]');
  for (const { name, value, dataset } of fields) {
    if (value === '') continue;
    if (dataset.place === 'path') path = path.replace(`{${name}}`, encodeURIComponent(value));
    else if (dataset.place === 'query') query.set(name, value);
    else if (dataset.place === 'header') headers.set(name, value);
    else headers.set('authorization', `Bearer ${value}`);
  }
  return { path: `${path}?${query}`.replace(/\?$/, ''), method: form.dataset.method ?? 'GET', headers, body };
}

/** @param {string} text */
function indented(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** @param {string} text @param {string} element */
function line(text, element) {
  const made = document.createElement(element);
  made.textContent = text;
  return made;
}

/** @param {string} text @param {string} label */
function code(text, label) {
  const block = document.createElement('div');
  block.className = 'code';
  const shown = line(text, 'pre');
  shown.tabIndex = 0;
  shown.role = 'group';
  shown.ariaLabel = label;
  block.append(shown);
  return block;
}
