import { type Direction, directionOfPart, hasRightToLeft } from '../text/direction.ts'
import { harmless, harmlessMath } from './allowed.ts'
import { highlight } from './highlight.ts'
import { parseMarkdown } from './parse.ts'

/** A text's own headings begin below those of the page, and leave none out, so that the page's outline stays whole. */
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

/** What is wider than its place scrolls by itself. */
const boxTables = (fragment: DocumentFragment): void => {
  for (const table of fragment.querySelectorAll('table')) {
    const box = document.createElement('div')
    box.dataset['table'] = ''
    table.replaceWith(box)
    box.append(table)
  }
}

/** What reads in a direction of its own: code, a line of a list or a cell as much as a paragraph. */
const readsByItself = 'p, h3, h4, h5, h6, pre, ul, ol, li, dl, dt, dd, blockquote, details, summary, [data-table], th, td'

const turnParts = (fragment: DocumentFragment, direction: Direction): void => {
  if (direction === 'ltr' && !hasRightToLeft(fragment.textContent)) return
  for (const part of fragment.querySelectorAll<HTMLElement>(readsByItself)) {
    const around = part.parentElement?.closest<HTMLElement>('[dir]')
    const own = directionOfPart(part.textContent)
    if (own && !part.dir && own !== (around?.dir ?? direction)) part.dir = own
  }
}

/** Markdown as harmless elements. Formulas and code are still plain; `dress` makes them beautiful. */
/** @param direction of what is around it */
export const renderMarkdown = (text: string, direction: Direction): DocumentFragment => {
  const fragment = harmless(parseMarkdown(text))
  levelHeadings(fragment)
  dropEmptyHeaders(fragment)
  boxTables(fragment)
  turnParts(fragment, direction)
  return fragment
}

const letter = '<math><msup><mi>b</mi><mn>2</mn></msup></math>'
let isRaised: boolean | null = null

/** Whether superscripts stand above their letters instead of beside their tops, as where no font says how far up they go. */
const raisesSuperscripts = (root: ParentNode): boolean => {
  if (isRaised !== null) return isRaised
  const probe = harmlessMath(letter).firstElementChild!
  root.append(probe)
  const [base, superscript] = [...probe.firstElementChild!.children].map((part) => part.getBoundingClientRect())
  probe.remove()
  // What is not laid out says nothing.
  if (base!.height === 0) return false
  isRaised = superscript!.bottom - base!.top < base!.height / 10
  return isRaised
}

const drawMath = async (root: ParentNode): Promise<void> => {
  const formulas = [...root.querySelectorAll<HTMLElement>('.math-inline, .math-display')]
  if (formulas.length === 0) return
  const [{ default: katex }, { mathLetters }] = await Promise.all([import('katex'), import('./math-letters.ts')])
  for (const formula of formulas) {
    const displayMode = formula.classList.contains('math-display')
    // MathML is drawn by the browser itself: no inline styles, which the page's policy forbids, and no fonts.
    const html = katex.renderToString(formula.textContent, {
      output: 'mathml',
      displayMode,
      throwOnError: false,
      trust: false,
      maxExpand: 200,
    })
    const math = harmlessMath(html)
    for (const letters of math.querySelectorAll(':is(mi, mn, mo, mtext)[mathvariant]')) {
      // NOTE: browsers leave every alphabet but the upright one to the letters themselves
      letters.textContent = mathLetters(letters.textContent, letters.getAttribute('mathvariant')!)
    }
    if (math.querySelector('math')) formula.replaceWith(math)
  }
  if (raisesSuperscripts(root)) for (const math of root.querySelectorAll('math')) math.setAttribute('data-raised', '')
}

const colourCode = async (root: ParentNode): Promise<void> => {
  const blocks = [...root.querySelectorAll<HTMLElement>('pre > code[class^="language-"]')]
  if (blocks.length === 0) return
  const colour = async (block: HTMLElement): Promise<void> => {
    const language = /language-([\w+#.-]+)/.exec(block.className)?.[1]
    const html = language === undefined ? null : await highlight(block.textContent, language)
    if (html !== null) block.replaceChildren(harmless(html))
  }
  await Promise.all(blocks.map(colour))
}

/** Draws formulas and colours code in elements that `renderMarkdown` made. What it needs is loaded only when there is any. */
export const dress = async (root: ParentNode): Promise<void> => {
  await Promise.all([drawMath(root), colourCode(root)])
}

export const needsDressing = (root: ParentNode): boolean =>
  root.querySelector('.math-inline, .math-display, pre > code[class^="language-"]') !== null
