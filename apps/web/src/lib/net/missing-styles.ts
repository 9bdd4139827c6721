/** Addresses of styles that did not arrive; beside them the try that is on its way. */
const missing = new Map<string, Promise<void> | null>()

/**
 * Notes styles that do not arrive, for `loadWithStyles`: the loader of the build asks for each file once, and would show a part
 * whose styles failed bare for good.
 */
export const noteMissingStyles = (): void => {
  const note = ({ target }: Event): void => {
    if (!(target instanceof HTMLLinkElement && target.rel === 'stylesheet')) return
    missing.set(target.href, null)
    target.remove()
  }
  // NOTE: such errors do not bubble
  document.addEventListener('error', note, { capture: true })
}

const fetchStyles = (href: string): Promise<void> =>
  new Promise((done, fail) => {
    const link = document.createElement('link')
    link.rel = 'stylesheet'
    link.crossOrigin = ''
    link.href = href
    link.addEventListener('load', () => {
      missing.delete(href)
      done()
    })
    link.addEventListener('error', () => fail(new Error(`Unable to preload CSS for ${href}`)))
    document.head.append(link)
  })

/** Asks anew for styles that did not arrive. Rejects where some of those that are needed do not arrive again. */
const fetchMissing = async (needed: ReadonlySet<string>): Promise<void> => {
  for (const [href, trying] of missing) missing.set(href, trying ?? fetchStyles(href))
  await Promise.all([...missing].map(([href, trying]) => (needed.has(href) ? trying : trying?.catch(() => undefined))))
}

const none: ReadonlySet<string> = new Set()
/** What had not arrived when some code was not loaded: it comes with its styles. */
const neededBy = new WeakMap<() => unknown, ReadonlySet<string>>()

/** Loads code, and first of all the styles that it was without when it failed. */
export const loadWithStyles = async <T>(load: () => Promise<T>): Promise<T> => {
  await fetchMissing(neededBy.get(load) ?? none)
  try {
    return await load()
  } catch (error) {
    neededBy.set(load, new Set(missing.keys()))
    throw error
  }
}
