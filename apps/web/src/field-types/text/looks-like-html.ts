/** Maximum number of characters examined. */
const LONGEST = 20_000

/**
 * Treats text as HTML if it contains an opening tag and, after it, a matching closing tag. Each tag is examined once, so the time
 * is linear.
 */
export const looksLikeHtml = (text: string): boolean => {
  const opened = new Set<string>()
  for (const [, closing, name = ''] of text.slice(0, LONGEST).matchAll(/<(\/?)([a-z][a-z0-9-]*)(?:\s[^<>]*)?>/gi)) {
    const tag = name.toLowerCase()
    if (closing === '') opened.add(tag)
    else if (opened.has(tag)) return true
  }
  return false
}
