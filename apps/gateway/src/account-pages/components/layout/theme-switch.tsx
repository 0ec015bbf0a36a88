import { pagePaths } from '../../paths/page-paths.js';
import { type Theme, themes } from '../../view/theme.js';

const names: Readonly<Record<Theme, string>> = { system: 'System', light: 'Light', dark: 'Dark' };

/**
 * Light, dark, or as the device says. Without a form token, which visitors of public pages don't have: another site could
 * change no more than colours, and its origin is refused anyway.
 */
export function ThemeSwitch({ theme }: { readonly theme: Theme }) {
  return (
    <form method="post" action={pagePaths.theme} class="theme-switch" aria-label="Theme">
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
    </form>
  );
}
