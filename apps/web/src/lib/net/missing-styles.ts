/** URLs of style sheets that failed to load, each with its pending retry, if any. */
const missingStyles = new Map<string, Promise<void> | null>()

/**
 * Records style sheets that fail to load, for `loadWithStyles`. The build's loader requests each file only once, so without a
 * retry the component would stay unstyled.
 */
export const trackMissingStyles = (): void => {
  const note = ({ target }: Event): void => {
    if (!(target instanceof HTMLLinkElement && target.rel === 'stylesheet')) return
    missingStyles.set(target.href, null)
    target.remove()
  }
  // Error events of elements don't bubble, so they are captured.
  document.addEventListener('error', note, { capture: true })
}

const fetchStyles = (href: string): Promise<void> =>
  new Promise((done, fail) => {
    const link = document.createElement('link')
    link.rel = 'stylesheet'
    link.crossOrigin = ''
    link.href = href
    link.addEventListener('load', () => {
      missingStyles.delete(href)
      done()
    })
    link.addEventListener('error', () => fail(new Error(`Unable to preload CSS for ${href}`)))
    document.head.append(link)
  })

/** Repeats the requests for the needed style sheets that failed to load. Rejects if one of them fails again. */
const fetchMissingStyles = async (needed: ReadonlySet<string>): Promise<void> => {
  for (const [href, request] of missingStyles) missingStyles.set(href, request ?? fetchStyles(href))
  await Promise.all([...missingStyles].map(([href, request]) => (needed.has(href) ? request : request?.catch(() => undefined))))
}

const noStyles: ReadonlySet<string> = new Set()
/**
 * Keyed by the function that loads some code: the style sheets that were missing when loading the code failed. Code and its style
 * sheets are loaded together.
 */
const neededBy = new WeakMap<() => unknown, ReadonlySet<string>>()

/** Loads code. If an earlier load of this code failed, first loads the style sheets that were missing at that time. */
export const loadWithStyles = async <T>(load: () => Promise<T>): Promise<T> => {
  await fetchMissingStyles(neededBy.get(load) ?? noStyles)
  try {
    return await load()
  } catch (error) {
    neededBy.set(load, new Set(missingStyles.keys()))
    throw error
  }
}
