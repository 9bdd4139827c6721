import type { FrameFont } from '#frame/messages.ts'

type Face = Omit<FrameFont, 'bytes'> & { readonly address: string }

const faceOf = ({ style }: CSSFontFaceRule, base: string): readonly Face[] => {
  const read = (name: string): string => style.getPropertyValue(name)
  const address = /url\("?([^")]+)"?\)/.exec(read('src'))?.[1]
  if (address === undefined) return []
  const descriptors = { style: read('font-style'), weight: read('font-weight'), unicodeRange: read('unicode-range') }
  return [{ family: read('font-family').replaceAll('"', ''), descriptors, address: new URL(address, base).href }]
}

const rulesOf = (sheet: CSSStyleSheet): readonly CSSRule[] => {
  try {
    return [...sheet.cssRules]
  } catch {
    // An extension's sheet is none of ours to read.
    return []
  }
}

let found: readonly Face[] = []
/** The typefaces that the page's own styles declare, which stay the same once they are there. */
const declared = (): readonly Face[] => {
  if (found.length > 0) return found
  found = [...document.styleSheets].flatMap((sheet) =>
    rulesOf(sheet).flatMap((rule) => (rule instanceof CSSFontFaceRule ? faceOf(rule, sheet.href ?? document.baseURI) : [])),
  )
  return found
}

/** Whether a text has a character of a `unicode-range`. */
const hasAny = (text: string, range: string): boolean => {
  const characters = range.replaceAll(/U\+([\dA-F]+)(?:-([\dA-F]+))?,?\s*/gi, (_, from: string, to?: string) =>
    to === undefined ? `\\u{${from}}` : `\\u{${from}}-\\u{${to}}`,
  )
  return new RegExp(`[${characters}]`, 'u').test(text)
}

/** Those that a text is written in, as a browser would fetch them: the mono only where it is asked for by its name in the theme. */
const facesFor = (text: string): readonly Face[] => {
  const style = getComputedStyle(document.documentElement)
  const families = ['--font-sans', ...(text.includes('--font-mono') ? ['--font-mono'] : [])].map((name) =>
    style.getPropertyValue(name),
  )
  return declared().filter(
    ({ family, descriptors }) => families.some((names) => names.includes(family)) && hasAny(text, descriptors.unicodeRange),
  )
}

const fetched = new Map<string, ArrayBuffer>()

/**
 * Gives the typefaces for a text to a frame that cannot fetch them: those that are there in the same turn, others once they are. Without them it has
 * those of the system.
 */
export const giveFonts = (text: string, give: (fonts: readonly FrameFont[]) => void): void => {
  const asFont = ({ address, ...face }: Face, bytes: ArrayBuffer): FrameFont => ({ ...face, bytes })
  const faces = facesFor(text)
  const known = faces.flatMap((face) => {
    const bytes = fetched.get(face.address)
    return bytes ? [asFont(face, bytes)] : []
  })
  if (known.length > 0) give(known)
  for (const face of faces.filter(({ address }) => !fetched.has(address))) {
    const arrives = async (): Promise<void> => {
      const response = await fetch(face.address)
      if (!response.ok) return
      const bytes = await response.arrayBuffer()
      fetched.set(face.address, bytes)
      give([asFont(face, bytes)])
    }
    arrives().catch(() => undefined)
  }
}
