import type { Locator } from 'playwright-core'

/** The position of an element, once fonts are loaded and it has not moved for a few frames. */
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
  const box = await locator.boundingBox()
  if (box === null) throw new Error('the element is not visible')
  return box
}
