import type { FrameTheme } from './messages.ts'

/** The page's ink and paper. A template's own styles are in no layer, so they win over these. */
export const themeSheet = `<style>@layer page {
html { color-scheme: var(--frame-scheme); background: var(--surface, Canvas); }
body { margin: 0; color: var(--ink); font: 1rem/1.6 var(--font-sans, system-ui), sans-serif; overflow-wrap: anywhere; }
img, video, svg, canvas { max-width: 100%; height: auto; }
pre { white-space: pre-wrap; }
table { border-collapse: collapse; }
a { color: inherit; }
::highlight(postil-search) { background-color: var(--mark); color: var(--ink); }
}</style>`

export const applyTheme = ({ dark, properties }: FrameTheme): void => {
  const { style } = document.documentElement
  style.setProperty('--frame-scheme', dark ? 'dark' : 'light')
  for (const [name, value] of Object.entries(properties)) style.setProperty(name, value)
}
