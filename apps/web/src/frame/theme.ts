import type { FrameTheme } from './messages.ts'

/** Each paragraph takes the direction of its first letter. */
const ownDirections = `<style>@layer page {
:is(address, article, aside, blockquote, body, caption, dd, details, div, dl, dt, figcaption, figure, footer, h1, h2, h3, h4, h5, h6, header, li, main, nav, p, pre, section, summary, td, th) { unicode-bidi: plaintext; }
}</style>`

/** Returns the page's style sheets for a template. A template that sets its own text direction keeps it. */
export const sheetsFor = (template: string): string =>
  /\bdir\s{0,9}=|(?<!-)direction\s{0,9}:|unicode-bidi/i.test(template) ? themeSheet : themeSheet + ownDirections

/** The page's text and background colors. A template's own styles are in no layer, so they override these. */
const themeSheet = `<style>@layer page {
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
