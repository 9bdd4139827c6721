import type { Page } from 'playwright-core'

type Clocks = { ready?: number; events: { name: string; key: string; ms: number }[] }
declare global {
  interface Window {
    benchClocks: Clocks
  }
}

const READY = 'bench: ready after '

/**
 * Opens a URL and waits for an element. The page itself reports when the element appears, because polling by the driver would
 * cost the page's main thread about 40 milliseconds.
 * @returns milliseconds from the start of the navigation until the element was painted
 */
export const readyAfter = async (page: Page, address: string, selector: string): Promise<number> => {
  await page.addInitScript(
    ([wanted, words]) => {
      window.benchClocks = { events: [] }
      const look = (): void => {
        if (!document.querySelector(wanted)) return
        observer.disconnect()
        requestAnimationFrame(() => setTimeout(() => console.debug(words + performance.now())))
      }
      const observer = new MutationObserver(look)
      observer.observe(document, { childList: true, subtree: true, attributes: true })
    },
    [selector, READY] as const,
  )
  const said = page.waitForEvent('console', { predicate: (message) => message.text().startsWith(READY), timeout: 120_000 })
  const [message] = await Promise.all([said, page.goto(address, { waitUntil: 'commit' })])
  return Number(message.text().slice(READY.length))
}

/** Milliseconds until the browser painted the first content. */
export const firstContentfulPaint = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((seen) => {
        new PerformanceObserver((list) => {
          const [paint] = list.getEntriesByName('first-contentful-paint')
          if (paint) seen(paint.startTime)
        }).observe({ type: 'paint', buffered: true })
      }),
  )

/** Milliseconds from a key press until an element's text has changed and is painted, measured in the page. */
export const changeAfter = async (page: Page, key: string, selector: string): Promise<number> => {
  await page.evaluate(
    ([wanted]) => {
      window.benchClocks.ready = undefined as unknown as number
      const element = document.querySelector(wanted ?? '')
      if (!element) throw new Error(`${wanted} was not found`)
      const before = element.textContent
      let pressed = Number.NaN
      window.addEventListener('keydown', ({ timeStamp }) => (pressed = timeStamp), { capture: true, once: true })
      const observer = new MutationObserver(() => {
        // The element is missing while the next record loads. This change doesn't count.
        const now = document.querySelector(wanted ?? '')?.textContent
        if (now === undefined || now === before) return
        observer.disconnect()
        requestAnimationFrame(() => setTimeout(() => (window.benchClocks.ready = performance.now() - pressed)))
      })
      observer.observe(document.body, { childList: true, subtree: true, characterData: true })
    },
    [selector],
  )
  await page.keyboard.press(key)
  await page.waitForFunction(() => window.benchClocks.ready !== undefined)
  return page.evaluate(() => window.benchClocks.ready ?? Number.NaN)
}

/**
 * Milliseconds from a key press until the next paint after all its effects. In a combination such as `Control+a`, the time
 * starts at the last key.
 */
export const paintAfter = async (page: Page, key: string): Promise<number> => {
  await page.evaluate(() => {
    window.benchClocks.ready = undefined as unknown as number
    const onKeyDown = ({ key: pressed, timeStamp }: KeyboardEvent): void => {
      if (['Control', 'Shift', 'Alt', 'Meta'].includes(pressed)) return
      window.removeEventListener('keydown', onKeyDown, { capture: true })
      requestAnimationFrame(() => setTimeout(() => (window.benchClocks.ready = performance.now() - timeStamp)))
    }
    window.addEventListener('keydown', onKeyDown, { capture: true })
  })
  await page.keyboard.press(key)
  await page.waitForFunction(() => window.benchClocks.ready !== undefined)
  return page.evaluate(() => window.benchClocks.ready ?? Number.NaN)
}
