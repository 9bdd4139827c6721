/**
 * Makes the browser prepare a font and form controls, which takes a while the first time. The CPU is idle until the first
 * scripts load, and the first render would otherwise wait for it.
 */
export const warmUpRendering = (): void => {
  const probe = document.createElement('div')
  probe.style.cssText = 'position: absolute; visibility: hidden; font-family: system-ui'
  probe.append('Aa', document.createElement('button'), document.createElement('input'), document.createElement('textarea'))
  const place = document.body ?? document.documentElement
  place.append(probe)
  probe.getBoundingClientRect()
  probe.remove()
}
