/** How far a text is looked at. */
const LONGEST = 20_000

/** Text with a tag that opens and later one that closes it is taken for HTML. Each tag is looked at once, however many there are. */
export const looksLikeHtml = (text: string): boolean => {
  const opened = new Set<string>()
  for (const [, closing, name = ''] of text.slice(0, LONGEST).matchAll(/<(\/?)([a-z][a-z0-9-]*)(?:\s[^<>]*)?>/gi)) {
    const tag = name.toLowerCase()
    if (closing === '') opened.add(tag)
    else if (opened.has(tag)) return true
  }
  return false
}
