import type { Locator } from 'playwright-core'

/** Where an element is, once the fonts are there and it has not moved for a few frames. */
export const boxAtRest = async (locator: Locator) => {
  await locator.evaluate(async (element) => {
    await document.fonts.ready
    let place = ''
    for (let still = 0; still < 3; ) {
      await new Promise(requestAnimationFrame)
      const now = JSON.stringify(element.getBoundingClientRect())
      still = now === place ? still + 1 : 0
      place = now
    }
  })
  const box = await locator.boundingBox()
  if (box === null) throw new Error('what is looked at is not shown')
  return box
}
