/** As in `tokens.css`, which is not there yet, without what has to be fetched. */
const fonts = 'system-ui, -apple-system, "Segoe UI", "Noto Sans", sans-serif'

/**
 * Has the browser make what it makes once and takes its time for: its tables of how languages write, fonts, controls. The
 * processor waits for the first scripts anyway, and what is drawn by them waits for this otherwise.
 */
export const makeReady = (): void => {
  void new Intl.NumberFormat('en')
  const probe = document.createElement('div')
  probe.style.cssText = `position: absolute; visibility: hidden; font-family: ${fonts}`
  const bold = document.createElement('b')
  bold.textContent = 'Aa'
  probe.append('Aa', bold, document.createElement('button'), document.createElement('input'), document.createElement('textarea'))
  const place = document.body ?? document.documentElement
  place.append(probe)
  probe.getBoundingClientRect()
  probe.remove()
}
