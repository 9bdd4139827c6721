/**
 * Has the browser make what it makes once and takes its time for: a font, controls. The processor waits for the first scripts
 * anyway, and what is drawn by them waits for this otherwise.
 */
export const makeReady = (): void => {
  const probe = document.createElement('div')
  probe.style.cssText = 'position: absolute; visibility: hidden; font-family: system-ui'
  probe.append('Aa', document.createElement('button'), document.createElement('input'), document.createElement('textarea'))
  const place = document.body ?? document.documentElement
  place.append(probe)
  probe.getBoundingClientRect()
  probe.remove()
}
