const themes = ['system', 'light', 'dark', 'high-contrast']

/** Sets the stored theme before the first paint, so that a white page doesn't flash in the dark theme. */
export const showTheme = (theme: unknown): void => {
  document.documentElement.dataset['theme'] = typeof theme === 'string' && themes.includes(theme) ? theme : 'system'
}
