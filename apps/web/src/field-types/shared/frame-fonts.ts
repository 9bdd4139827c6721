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
    // Browser extensions' style sheets can't be read.
    return []
  }
}

let sheetFaces: readonly Face[] = []
/** Returns the fonts that the web app's style sheets declare. They don't change once the style sheets are loaded. */
const declaredFaces = (): readonly Face[] => {
  if (sheetFaces.length > 0) return sheetFaces
  sheetFaces = [...document.styleSheets].flatMap((sheet) =>
    rulesOf(sheet).flatMap((rule) => (rule instanceof CSSFontFaceRule ? faceOf(rule, sheet.href ?? document.baseURI) : [])),
  )
  return sheetFaces
}

/** Whether a string contains a character in a `unicode-range`. */
const isUsed = (text: string, range: string): boolean => {
  const characters = range.replaceAll(/U\+([\dA-F]+)(?:-([\dA-F]+))?,?\s*/gi, (_, from: string, to?: string) =>
    to === undefined ? `\\u{${from}}` : `\\u{${from}}-\\u{${to}}`,
  )
  return new RegExp(`[${characters}]`, 'u').test(text)
}

/**
 * Returns the fonts that a browser would choose for some text. Includes the monospace font only if the text uses the theme
 * property for that font.
 */
const facesFor = (text: string): readonly Face[] => {
  const style = getComputedStyle(document.documentElement)
  const families = ['--font-sans', ...(text.includes('--font-mono') ? ['--font-mono'] : [])].map((name) =>
    style.getPropertyValue(name),
  )
  return declaredFaces().filter(
    ({ family, descriptors }) => families.some((names) => names.includes(family)) && isUsed(text, descriptors.unicodeRange),
  )
}

const fetched = new Map<string, ArrayBuffer>()

/**
 * Sends a frame the fonts that its text needs. The frame can't fetch fonts itself. Loaded fonts are sent immediately, other fonts
 * once they have loaded. Until then, the frame uses system fonts.
 */
export const loadFontsFor = (text: string, send: (fonts: readonly FrameFont[]) => void): void => {
  const toFontMessage = ({ address, ...face }: Face, bytes: ArrayBuffer): FrameFont => ({ ...face, bytes })
  const faces = facesFor(text)
  const loadedFonts = faces.flatMap((face) => {
    const bytes = fetched.get(face.address)
    return bytes ? [toFontMessage(face, bytes)] : []
  })
  if (loadedFonts.length > 0) send(loadedFonts)
  for (const face of faces.filter(({ address }) => !fetched.has(address))) {
    const arrives = async (): Promise<void> => {
      const response = await fetch(face.address)
      if (!response.ok) return
      const bytes = await response.arrayBuffer()
      fetched.set(face.address, bytes)
      send([toFontMessage(face, bytes)])
    }
    arrives().catch(() => undefined)
  }
}
