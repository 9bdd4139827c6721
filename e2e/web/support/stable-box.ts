import type { Locator } from 'playwright-core'

/** The position of an element in whole pixels. Fractions depend on the text around it, so tests don't compare them. */
export const roundedBox = async (locator: Locator) => {
  const box = await locator.boundingBox()
  if (box === null) throw new Error('the element is not visible')
  const [left, top] = [Math.round(box.x), Math.round(box.y)]
  return { x: left, y: top, width: Math.round(box.x + box.width) - left, height: Math.round(box.y + box.height) - top }
}

/**
 * Waits until fonts are loaded and an element has not moved for a few frames. Returns the element's position and size in whole
 * pixels.
 */
export const stableBox = async (locator: Locator) => {
  await locator.evaluate(async (element) => {
    await document.fonts.ready
    let lastBox = ''
    for (let stableFrames = 0; stableFrames < 3; ) {
      await new Promise(requestAnimationFrame)
      const now = JSON.stringify(element.getBoundingClientRect())
      stableFrames = now === lastBox ? stableFrames + 1 : 0
      lastBox = now
    }
  })
  return roundedBox(locator)
}
