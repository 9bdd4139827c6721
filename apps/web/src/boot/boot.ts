/*
 * Runs before the first paint, from a file of its own because the content security policy allows no inline script.
 * Sets the stored theme, so that a dark room is not lit up by a white page.
 */
const themes = ['system', 'light', 'dark', 'high-contrast']
let theme: unknown
try {
  theme = (JSON.parse(localStorage.getItem('postil') ?? '{}') as { theme?: unknown } | null)?.theme
} catch {
  // No storage: the system's theme.
}
document.documentElement.dataset['theme'] = typeof theme === 'string' && themes.includes(theme) ? theme : 'system'
