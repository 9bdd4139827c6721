const themes = ['system', 'light', 'dark', 'high-contrast']

/** Sets the stored theme before the first paint, so that a dark room is not lit up by a white page. */
export const showTheme = (theme: unknown): void => {
  document.documentElement.dataset['theme'] = typeof theme === 'string' && themes.includes(theme) ? theme : 'system'
}
