import type { Page } from 'playwright-core'

/** The rendered text of a record. `spans` contains the label and the text of each span, in text order. */
export type PaintedSpan = { readonly text: string; readonly spans: readonly (readonly [string, string])[] }

/**
 * Reads the text and its spans from the rendered elements. A marked element without a label continues the previous span. The
 * spans must therefore not overlap.
 */
export const paintedSpans = (page: Page): Promise<PaintedSpan> =>
  page.evaluate(() => {
    const spans: [string, string][] = []
    let text = ''
    for (const element of document.querySelectorAll<HTMLElement>('[data-span-text] [data-at]')) {
      const own = element.lastChild?.textContent ?? ''
      if (Number(element.dataset['at']) !== text.length) throw new Error(`wrong text position at ${text.length}`)
      text += own
      if (!element.hasAttribute('data-marked')) continue
      const label = document.querySelector(`[data-span-text] [data-chip^="${element.dataset['at']} "] bdi`)?.textContent
      const last = spans.at(-1)
      if (label) spans.push([label, own])
      else if (last) last[1] += own
    }
    return { text, spans }
  })
