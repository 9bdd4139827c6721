import type { Page } from 'playwright-core'

/** What the text of a record looks like: the whole of it, and the spans drawn in it as label and text, in order of place. */
export type Painted = { readonly text: string; readonly spans: readonly (readonly [string, string])[] }

/** Reads the text off the elements that are drawn. For spans that do not overlap: what has no label goes on with the span before. */
export const painted = (page: Page): Promise<Painted> =>
  page.evaluate(() => {
    const spans: [string, string][] = []
    let text = ''
    for (const element of document.querySelectorAll<HTMLElement>('[data-span-text] [data-at]')) {
      const own = element.lastChild?.textContent ?? ''
      if (Number(element.dataset['at']) !== text.length) throw new Error(`units go wrong at ${text.length}`)
      text += own
      if (!element.hasAttribute('data-marked')) continue
      const label = document.querySelector(`[data-span-text] [data-chip^="${element.dataset['at']} "] bdi`)?.textContent
      const last = spans.at(-1)
      if (label) spans.push([label, own])
      else if (last) last[1] += own
    }
    return { text, spans }
  })
