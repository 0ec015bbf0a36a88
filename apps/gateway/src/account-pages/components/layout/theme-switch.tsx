import { pagePaths } from '../../paths/page-paths.js';
import { type Theme, themes } from '../../view/theme.js';
import { usePage } from '../../view/page-context.js';
import { Form } from '../controls/form.js';

const names: Readonly<Record<Theme, string>> = { system: 'As the device', light: 'Light', dark: 'Dark' };

/** Light, dark, or as the device says. */
export function ThemeSwitch({ theme }: { readonly theme: Theme }) {
  const { path } = usePage();
  return (
    <Form action={pagePaths.theme} class="theme-switch" hidden={{ return_to: path }}>
      {themes.map((name) => (
        <button
          key={name}
          type="submit"
          name="theme"
          value={name}
          aria-pressed={name === theme ? 'true' : 'false'}
        >
          {names[name]}
        </button>
      ))}
    </Form>
  );
}
