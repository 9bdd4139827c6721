import type { Page } from 'playwright-core'

/** Runs in the page. Finds everything that could run a script, and every sign that a script has run. */
const suspects = async (): Promise<string[]> => {
  // The document as served to everyone, without any record data.
  const served = await (await fetch(document.baseURI)).text()
  const isOfTheBuild = ({ outerHTML }: Element): boolean => served.includes(outerHTML)
  const addresses = ['href', 'src', 'action', 'formaction', 'xlink:href', 'data', 'poster', 'background', 'ping', 'srcset']
  const isForeign = (address: string): boolean => new URL(address, location.href).origin !== location.origin
  const runs = /^(javascript|vbscript|data:text|data:application)/
  /** Each entry has a selector and a function that returns whether a matching element is suspicious. */
  const elements: readonly (readonly [string, (element: Element) => boolean])[] = [
    ['object, embed, applet, frame, style, meta[http-equiv], [srcdoc]', () => true],
    ['script:not([src])', (element) => !isOfTheBuild(element)],
    ['script[src]', (element) => isForeign((element as HTMLScriptElement).src)],
    ['link[href], base[href]', (element) => isForeign((element as HTMLLinkElement).href)],
    ['form', (element) => isForeign((element as HTMLFormElement).action)],
    ['iframe', (element) => element.getAttribute('sandbox') !== 'allow-scripts'],
  ]
  const found = elements.flatMap(([selector, isSuspect]) => [...document.querySelectorAll(selector)].filter(isSuspect))
  const attributes = [...document.querySelectorAll('*')].flatMap((element) =>
    [...element.attributes].filter(({ name, value }) => {
      const address = value.replace(/[\s\p{Cc}]/gu, '').toLowerCase()
      return name.startsWith('on') || (addresses.includes(name) && runs.test(address))
    }),
  )
  const traces = {
    'a mark on the window': 'canary' in window,
    'a mark in the storage': 'canary' in localStorage || 'canary' in sessionStorage,
    'a cookie that scripts read': document.cookie !== '',
  }
  return [
    ...found.map((element) => element.outerHTML.slice(0, 300)),
    ...attributes.map(({ name, value, ownerElement }) => `<${ownerElement?.localName} ${name}=${value}>`),
    ...Object.entries(traces).flatMap(([trace, isThere]) => (isThere ? [trace] : [])),
  ]
}

/**
 * Returns descriptions of everything in the page that could run a script, and of everything that shows that one has run. Empty if
 * the page is safe. `allowedFrames`: titles of frames whose scripts may run.
 */
export const sweep = async (page: Page, allowedFrames: readonly string[] = []): Promise<readonly string[]> => {
  const found = await page.evaluate(suspects)
  for (const frame of page.frames()) {
    if (frame === page.mainFrame() || frame.isDetached()) continue
    const title = (await frame.frameElement().then((element) => element.getAttribute('title'))) ?? ''
    if (allowedFrames.includes(title)) continue
    const [origin, mark] = await frame.evaluate(() => [self.origin, String(Reflect.get(self, 'canary'))])
    if (origin !== 'null') found.push(`the frame “${title}” has the origin ${origin}`)
    if (mark !== 'undefined') found.push(`${mark} has run in the frame “${title}”`)
  }
  return found
}
