import type { Page } from 'playwright-core'

/** The rendered text of a record: the full text, and its spans as label and text, in text order. */
export type PaintedSpan = { readonly text: string; readonly spans: readonly (readonly [string, string])[] }

/**
 * Reads the text from the rendered elements. Spans must not overlap: an element without a label continues the previous span.
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
