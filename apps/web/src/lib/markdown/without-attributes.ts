const isBlank = (sign: string | undefined): boolean => sign !== undefined && /[\t\n\f\r ]/.test(sign)
const isLetter = (sign: string | undefined): boolean => sign !== undefined && /[a-z]/i.test(sign)

/**
 * Returns where the value after an attribute name ends according to the browser's parsing rules, or `at` if there is no value.
 */
const endOfValue = (html: string, at: number): number => {
  let next = at
  while (isBlank(html[next])) next += 1
  if (html[next] !== '=') return at
  next += 1
  while (isBlank(html[next])) next += 1
  const quote = html[next]
  if (quote === '"' || quote === "'") {
    const end = html.indexOf(quote, next + 1)
    return end < 0 ? html.length : end + 1
  }
  while (next < html.length && html[next] !== '>' && !isBlank(html[next])) next += 1
  return next
}

/** Returns the end of the attribute name that starts at `at`. The first character of a name can be any character. */
const endOfName = (html: string, at: number): number => {
  let next = at + 1
  while (next < html.length && !/[/>=]/.test(html[next] ?? '') && !isBlank(html[next])) next += 1
  return next
}

type Attribute = { readonly name: string; readonly start: number; readonly end: number }

/** Returns the attributes of the tag whose name starts at `at`, and where the tag ends. */
const attributesFrom = (html: string, at: number): { readonly attributes: readonly Attribute[]; readonly end: number } => {
  const attributes: Attribute[] = []
  let next = at
  while (next < html.length && !/[/>]/.test(html[next] ?? '') && !isBlank(html[next])) next += 1
  while (next < html.length && html[next] !== '>') {
    const start = next
    if (html[start] === '/' || isBlank(html[start])) {
      next += 1
      continue
    }
    const endName = endOfName(html, start)
    next = endOfValue(html, endName)
    attributes.push({ name: html.slice(start, endName), start, end: next })
  }
  return { attributes, end: next }
}

const endOfComment = (html: string, at: number): number => {
  const end = html.indexOf('-->', at + 2)
  return end < 0 ? html.length : end
}

/**
 * Removes attributes with certain names from HTML, in linear time. When a browser parses HTML, it checks `onerror` and `style`
 * against the content security policy and logs violations. Removing them keeps the console clean. This is not a security
 * measure: the caller must sanitize the result.
 */
export const withoutAttributes = (html: string, isUnwanted: (name: string) => boolean): string => {
  let kept = ''
  let from = 0
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at)) {
    if (html.startsWith('<!--', at)) {
      at = endOfComment(html, at)
    } else if (isLetter(html[at + 1])) {
      const { attributes, end } = attributesFrom(html, at + 1)
      for (const { name, start, end: after } of attributes) {
        if (!isUnwanted(name)) continue
        kept += html.slice(from, start)
        from = after
      }
      at = end
    } else at += 1
  }
  return kept + html.slice(from)
}
