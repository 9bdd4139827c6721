import type { Page } from 'playwright-core'

type Clocks = { ready?: number; events: { name: string; key: string; ms: number }[] }
declare global {
  interface Window {
    benchClocks: Clocks
  }
}

const READY = 'bench: ready after '

/**
 * Opens an address and waits for an element. The page says by itself when it is there: asking it meanwhile, as the driver does, takes its
 * own thread some forty milliseconds.
 * @returns milliseconds from the start of the navigation until it was painted
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

/** From the press of a key until something changes in an element and is painted, as the page sees it. In milliseconds. */
export const changeAfter = async (page: Page, key: string, selector: string): Promise<number> => {
  await page.evaluate(
    ([wanted]) => {
      window.benchClocks.ready = undefined as unknown as number
      const element = document.querySelector(wanted ?? '')
      if (!element) throw new Error(`there is no ${wanted}`)
      const before = element.textContent
      let pressed = Number.NaN
      window.addEventListener('keydown', ({ timeStamp }) => (pressed = timeStamp), { capture: true, once: true })
      const observer = new MutationObserver(() => {
        // While the next record is on its way there is no such element: that is not the change that is waited for.
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

/** From the press of a key until the next paint after all that it set off, in milliseconds. With `Control+a` it is the last key that counts. */
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
