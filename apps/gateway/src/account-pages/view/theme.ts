/** What a visitor wants to see: as the device says, or always the one. */
export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

export function readTheme(text: string | undefined): Theme {
  return themes.find((theme) => theme === text) ?? 'system';
}
