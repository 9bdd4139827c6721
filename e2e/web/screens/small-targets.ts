import type { Page } from 'playwright-core'

/**
 * Interactive elements that are neither disabled nor visually hidden. Links within a sentence are left out later, because they
 * are only as tall as their line.
 */
const TARGETS = ['a[href]', 'button', 'input:not([type=hidden])', 'select', 'textarea', 'summary', '[role=separator][tabindex]']
  .map((target) => `${target}:not(:disabled, .visually-hidden *)`)
  .join()

type Size = { readonly width: number; readonly height: number }

/**
 * Click targets that are smaller than the given size in CSS pixels, one line each. A smaller box counts as large enough if
 * clicks next to it also hit it, for example through its label. Targets behind an open panel are left out, because they can't
 * be clicked.
 */
export const findSmallTargets = (page: Page, minSize: Size): Promise<readonly string[]> =>
  page.evaluate(
    ({ targets, least: { width: wide, height: high } }) => {
      const isWithinSentence = (element: Element): boolean =>
        getComputedStyle(element).display === 'inline' &&
        [...(element.parentElement?.childNodes ?? [])].some(
          (node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim(),
        )
      /** The width and height of the area around the element's center in which clicks hit the element. */
      const reach = (element: Element): Size => {
        const { x, y, width, height } = element.getBoundingClientRect()
        const labels = element instanceof HTMLInputElement ? [...(element.labels ?? [])] : []
        const isHit = (right: number, down: number): boolean => {
          const hit = document.elementFromPoint(x + width / 2 + right, y + height / 2 + down)
          return hit !== null && [element, ...labels].some((one) => one.contains(hit))
        }
        const along = (step: (by: number) => boolean): number => {
          let [before, behind] = [0, 0]
          while (before < 24 && step(-before - 0.5)) before += 1
          while (behind < 24 && step(behind + 0.5)) behind += 1
          return before + behind
        }
        return {
          width: Math.max(
            width,
            along((by) => isHit(by, 0)),
          ),
          height: Math.max(
            height,
            along((by) => isHit(0, by)),
          ),
        }
      }
      const modal = document.querySelector('dialog:modal') ?? document
      return [...modal.querySelectorAll(targets)].flatMap((element) => {
        const box = element.getBoundingClientRect()
        const isOut = !element.checkVisibility({ visibilityProperty: true }) || box.width <= 1
        if (isOut || (box.width >= wide && box.height >= high) || isWithinSentence(element)) return []
        element.scrollIntoView({ block: 'center', inline: 'nearest' })
        const middle = element.getBoundingClientRect()
        const inFront = document.elementFromPoint(middle.x + middle.width / 2, middle.y + middle.height / 2)
        const panel = inFront?.closest('[role=dialog], [popover], dialog')
        if (panel && !panel.contains(element)) return []
        const { width, height } = reach(element)
        if (width >= wide && height >= high) return []
        const name = element.getAttribute('aria-label') ?? (element.textContent?.trim() || element.getAttribute('name'))
        return [`${Math.round(width)} × ${Math.round(height)} ${element.tagName} ${name}`]
      })
    },
    { targets: TARGETS, least: minSize },
  )
