const themes = ['system', 'light', 'dark', 'high-contrast']

/** Sets the stored theme before the first paint, so that users of the dark theme don't see a white flash. */
export const showTheme = (theme: unknown): void => {
  document.documentElement.dataset['theme'] = typeof theme === 'string' && themes.includes(theme) ? theme : 'system'
}
