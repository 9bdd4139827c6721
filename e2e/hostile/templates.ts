/**
 * An advanced custom field that tries to escape from its frame. `attempts` contains the outcome of each attempt once
 * `attempts.done` is true.
 */
export const intruder = (host: string): string => `<p id="here">intruder</p><script>
self.attempts = {}
const attempt = (name, run) => {
  try { attempts[name] = 'got ' + String(run()) } catch (error) { attempts[name] = error.name }
}
const later = async (name, run) => {
  try { await run(); attempts[name] = 'got through' } catch (error) { attempts[name] = 'refused' }
}
const run = 'http:${host}/run/intruder-'
attempt('cookie', () => document.cookie)
attempt('setCookie', () => { document.cookie = 'canary=1' })
attempt('localStorage', () => localStorage.length)
attempt('sessionStorage', () => sessionStorage.length)
attempt('indexedDB', () => { indexedDB.open('canary') })
attempt('parentDocument', () => parent.document.title)
attempt('parentVariable', () => { parent.canary = 1 })
attempt('parentLocation', () => { parent.location = run + 'parent' })
attempt('topLocation', () => { top.location.href = run + 'top' })
attempt('siblings', () => parent.frames[0].document)
attempt('element', () => frameElement.id)
attempt('popup', () => open(run + 'popup'))
attempt('beacon', () => navigator.sendBeacon(run + 'beacon'))
attempt('dialog', () => { alert('canary') })
parent.postMessage({ type: 'postil:error', message: '<img src=x onerror="new Image().src=\\'' + run + 'message\\'">' }, '*')
parent.postMessage({ type: 'postil:height', height: 1e9 }, '*')
parent.postMessage(null, '*')
parent.postMessage('postil:ready', '*')
parent.postMessage({ type: 'postil:render', template: '<script>x</scr' + 'ipt>' }, '*')
const form = Object.assign(document.createElement('form'), { action: run + 'form' })
document.body.append(form)
attempt('form', () => form.submit())
for (const address of [run + 'nested', '/']) {
  document.body.append(Object.assign(document.createElement('iframe'), { src: address }))
}
const worker = () => new Promise((open, refuse) => {
  const made = new Worker('data:text/javascript,postMessage(1)')
  made.onmessage = open
  made.onerror = refuse
})
const socket = () => new Promise((open, refuse) => {
  const made = new WebSocket('ws:${host}/run/intruder-socket')
  made.onopen = open
  made.onerror = refuse
})
const events = () => new Promise((open, refuse) => {
  const made = new EventSource(run + 'events')
  made.onopen = open
  made.onerror = refuse
})
const request = () => new Promise((open, refuse) => {
  const made = new XMLHttpRequest()
  made.onload = open
  made.onerror = refuse
  made.open('GET', '/api/v1/me')
  made.send()
})
Promise.all([
  later('fetchOwn', () => fetch('/api/v1/me')),
  later('fetchOther', () => fetch(run + 'fetch', { mode: 'no-cors' })),
  later('requestOwn', request),
  later('socket', socket),
  later('events', events),
  later('worker', worker),
  later('module', () => import(run + 'module')),
]).then(() => { attempts.done = true })
</script>`

/** Two templates that navigate their frame to another address: one with a script, and one with a `<meta>` element. */
export const runaways = (host: string): readonly string[] => [
  `<script>location.href = 'http:${host}/run/runaway-location'</script>`,
  `<meta http-equiv="refresh" content="0;url=http:${host}/run/runaway-refresh">`,
]

export const PLAIN_TEMPLATE = `<h3 title="{{record.fields.card.note}}">{{record.fields.card.note}}</h3>
<ul>{{#each record.fields.card.list}}<li>{{this}}</li>{{/each}}</ul><pre>{{json record}}</pre>`
