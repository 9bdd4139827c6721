import { type Direction, directionOfPart, hasRightToLeft } from '../text/direction.ts'
import { highlight } from './highlight.ts'
import { parseMarkdown } from './parse.ts'
import { sanitize, sanitizeMath } from './sanitize.ts'

/**
 * The level that the highest headings in rendered text get. It is below the levels of the page's own headings. No level is
 * skipped, so that the page outline stays intact.
 */
const firstHeading = 3

const levelHeadings = (fragment: DocumentFragment): void => {
  let last = firstHeading - 1
  for (const heading of fragment.querySelectorAll('h1, h2, h3, h4, h5, h6')) {
    const wanted = Number(heading.nodeName.slice(1))
    last = Math.min(6, last + 1, wanted + firstHeading - 1)
    const levelled = document.createElement(`h${last}`)
    levelled.dataset['size'] = String(wanted)
    levelled.replaceChildren(...heading.childNodes)
    heading.replaceWith(levelled)
  }
}

const dropEmptyHeaders = (fragment: DocumentFragment): void => {
  for (const cell of fragment.querySelectorAll('th')) {
    if (cell.textContent.trim() !== '') continue
    const plain = document.createElement('td')
    plain.replaceChildren(...cell.childNodes)
    cell.replaceWith(plain)
  }
}

/** Puts each table into a box that scrolls if the table is too wide. */
const wrapTables = (fragment: DocumentFragment): void => {
  for (const table of fragment.querySelectorAll('table')) {
    const box = document.createElement('div')
    box.dataset['table'] = ''
    table.replaceWith(box)
    box.append(table)
  }
}

/** Elements that have their own text direction, including code, list items and cells. */
const directionalElements = 'p, h3, h4, h5, h6, pre, ul, ol, li, dl, dt, dd, blockquote, details, summary, [data-table], th, td'

const setDirections = (fragment: DocumentFragment, direction: Direction): void => {
  if (direction === 'ltr' && !hasRightToLeft(fragment.textContent)) return
  for (const part of fragment.querySelectorAll<HTMLElement>(directionalElements)) {
    const around = part.parentElement?.closest<HTMLElement>('[dir]')
    const own = directionOfPart(part.textContent)
    if (own && !part.dir && own !== (around?.dir ?? direction)) part.dir = own
  }
}

/**
 * Renders Markdown as sanitized elements. Formulas and code are plain text until `enhance` formats them.
 * @param direction the direction of the surrounding text
 */
export const renderMarkdown = (text: string, direction: Direction): DocumentFragment => {
  const fragment = sanitize(parseMarkdown(text))
  levelHeadings(fragment)
  dropEmptyHeaders(fragment)
  wrapTables(fragment)
  setDirections(fragment, direction)
  return fragment
}

const superscriptProbe = '<math><msup><mi>b</mi><mn>2</mn></msup></math>'
let isRaised: boolean | null = null

/**
 * Whether the browser draws superscripts above their base instead of next to it, as it does with fonts that lack math layout
 * data.
 */
const raisesSuperscripts = (root: ParentNode): boolean => {
  if (isRaised !== null) return isRaised
  const probe = sanitizeMath(superscriptProbe).firstElementChild!
  root.append(probe)
  const [base, superscript] = [...probe.firstElementChild!.children].map((part) => part.getBoundingClientRect())
  probe.remove()
  // Without layout there is nothing to measure.
  if (base!.height === 0) return false
  isRaised = superscript!.bottom - base!.top < base!.height / 10
  return isRaised
}

const renderMath = async (root: ParentNode): Promise<void> => {
  const formulas = [...root.querySelectorAll<HTMLElement>('.math-inline, .math-display')]
  if (formulas.length === 0) return
  const [{ default: katex }, { mathLetters }] = await Promise.all([import('katex'), import('./math-letters.ts')])
  for (const formula of formulas) {
    const displayMode = formula.classList.contains('math-display')
    // Browsers draw MathML natively. It needs neither fonts nor inline styles.
    const html = katex.renderToString(formula.textContent, {
      output: 'mathml',
      displayMode,
      throwOnError: false,
      trust: false,
      maxExpand: 200,
    })
    const math = sanitizeMath(html)
    for (const letters of math.querySelectorAll(':is(mi, mn, mo, mtext)[mathvariant]')) {
      // Browsers ignore every `mathvariant` except `normal`, so the letters must come from Unicode.
      letters.textContent = mathLetters(letters.textContent, letters.getAttribute('mathvariant')!)
    }
    if (math.querySelector('math')) formula.replaceWith(math)
  }
  if (raisesSuperscripts(root)) for (const math of root.querySelectorAll('math')) math.setAttribute('data-raised', '')
}

const highlightCode = async (root: ParentNode): Promise<void> => {
  const blocks = [...root.querySelectorAll<HTMLElement>('pre > code[class^="language-"]')]
  if (blocks.length === 0) return
  const colour = async (block: HTMLElement): Promise<void> => {
    const language = /language-([\w+#.-]+)/.exec(block.className)?.[1]
    const html = language === undefined ? null : await highlight(block.textContent, language)
    if (html !== null) block.replaceChildren(sanitize(html))
  }
  await Promise.all(blocks.map(colour))
}

/**
 * Draws formulas and highlights code in the output of `renderMarkdown`. Loads the modules for this only if the output contains
 * formulas or code.
 */
export const enhance = async (root: ParentNode): Promise<void> => {
  await Promise.all([renderMath(root), highlightCode(root)])
}

export const needsEnhancement = (root: ParentNode): boolean =>
  root.querySelector('.math-inline, .math-display, pre > code[class^="language-"]') !== null
