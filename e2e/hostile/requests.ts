/**
 * Template scripts that each send a request to another host. Each script's name is the path of its request. A script ends
 * without an error if the browser blocks the request.
 */
export const REQUESTS: { readonly [name: string]: string } = {
  image: 'new Image().src = url',
  imageSet: 'add("img", { srcset: url + " 1x" })',
  picture: 'add("picture").innerHTML = `<source srcset="$URL"><img src="data:,">`',
  poster: 'add("video", { poster: url })',
  video: 'add("video", { src: url, preload: "auto" })',
  audio: 'add("audio", { src: url, preload: "auto" })',
  track: 'add("video", { src: "data:," }).innerHTML = `<track default src="$URL">`',
  imageButton: 'add("input", { type: "image", src: url })',
  background: 'add("p", { textContent: "x" }).style.backgroundImage = `url($URL)`',
  listStyle: 'add("li", { textContent: "x" }).style.listStyleImage = `url($URL)`',
  cursor: 'add("p", { textContent: "x" }).style.cursor = `url($URL), auto`',
  content: 'add("style", { textContent: `body::after { content: url($URL) }` })',
  property: 'add("style", { textContent: `body { --u: url($URL); border-image: var(--u) 1 }` })',
  filter: 'add("p", { textContent: "x" }).style.filter = `url($URL#f)`',
  mask: 'add("p", { textContent: "x" }).style.maskImage = `url($URL)`',
  styleSheet: 'add("link", { rel: "stylesheet", href: url })',
  styleImport: 'add("style", { textContent: `@import url($URL);` })',
  font: 'add("style", { textContent: `@font-face { font-family: f; src: url($URL) } i { font: 9px f }` }); add("i", { textContent: "x" })',
  svgImage: 'add("div").innerHTML = `<svg><image href="$URL" width="9" height="9"/></svg>`',
  svgUse: 'add("div").innerHTML = `<svg><use href="$URL#x"/></svg>`',
  script: 'add("script", { src: url })',
  module: 'import(url).catch(() => {})',
  importMap: 'add("script", { type: "module", textContent: `import "$URL"` })',
  preload: 'add("link", { rel: "preload", as: "image", href: url })',
  modulePreload: 'add("link", { rel: "modulepreload", href: url })',
  prefetch: 'add("link", { rel: "prefetch", href: url })',
  prerender: 'add("link", { rel: "prerender", href: url })',
  speculation:
    'add("script", { type: "speculationrules", textContent: JSON.stringify({ prefetch: [{ urls: [url], eagerness: "immediate" }], prerender: [{ urls: [url], eagerness: "immediate" }] }) })',
  icon: 'add("link", { rel: "icon", href: url })',
  manifest: 'add("link", { rel: "manifest", href: url })',
  object: 'add("object", { data: url })',
  embed: 'add("embed", { src: url })',
  frame: 'add("iframe", { src: url })',
  nestedImage: 'add("iframe", { srcdoc: `<img src="$URL">` })',
  nestedScript: 'add("iframe", { srcdoc: `<script>new Image().src = "$URL"; fetch("$URL")</scr` + `ipt>` })',
  emptyFrame:
    'const inner = add("iframe").contentWindow; const img = inner.document.createElement("img"); img.src = url; inner.document.body.append(img)',
  emptyFrameLocation: 'add("iframe").contentWindow.location = url',
  fetch: 'fetch(url, { mode: "no-cors" }).catch(() => {})',
  keepalive: 'fetch(url, { mode: "no-cors", keepalive: true, method: "POST", body: "x" }).catch(() => {})',
  request: 'const x = new XMLHttpRequest(); x.open("GET", url); x.send()',
  beacon: 'navigator.sendBeacon(url, "x")',
  socket: 'new WebSocket(url.replace("http", "ws"))',
  events: 'new EventSource(url)',
  transport: 'new WebTransport(url.replace("http:", "https:")).ready.catch(() => {})',
  worker: 'new Worker(URL.createObjectURL(new Blob([`fetch("$URL", { mode: "no-cors" }); importScripts("$URL")`])))',
  dataWorker: 'new Worker(`data:text/javascript,fetch("$URL", { mode: "no-cors" })`)',
  sharedWorker: 'new SharedWorker(`data:text/javascript,fetch("$URL", { mode: "no-cors" })`)',
  worklet: 'new AudioContext().audioWorklet.addModule(url).catch(() => {})',
  form: 'add("form", { action: url, method: "post" }).submit()',
  formElsewhere: 'add("form", { action: url, target: "_blank" }).submit()',
  popup: 'open(url)',
  top: 'top.location = url',
  parent: 'parent.location = url',
  linkTop: 'add("a", { href: url, target: "_top", textContent: "x" }).click()',
  linkElsewhere: 'add("a", { href: url, target: "_blank", textContent: "x" }).click()',
  ping: 'add("a", { href: "#x", ping: url, textContent: "x" }).click()',
  policyReport: 'add("meta", { httpEquiv: "Content-Security-Policy", content: `img-src data:; report-uri $URL` })',
  payment:
    'new PaymentRequest([{ supportedMethods: url }], { total: { label: "x", amount: { currency: "EUR", value: "1" } } }).canMakePayment().catch(() => {})',
}

/** Ways to leave the frame's document. Each one needs a template of its own, because the document may be gone afterwards. */
export const NAVIGATIONS: { readonly [name: string]: string } = {
  location: '<script>location.href = url</script>',
  replace: '<script>location.replace(url)</script>',
  javascriptUrl: '<script>location = `javascript:location="$URL"`</script>',
  dataUrl: '<script>location = `data:text/html,<img src="$URL">`</script>',
  blobUrl: '<script>location = URL.createObjectURL(new Blob([`<img src="$URL">`], { type: "text/html" }))</script>',
  refresh: '<script>document.write(`<meta http-equiv="refresh" content="0;url=$URL">`)</script>',
  link: '<a id="a">x</a><script>a.href = url; a.click()</script>',
  download: '<a id="a" download="x">x</a><script>a.href = url; a.click()</script>',
  navigation: '<script>navigation.navigate(url)</script>',
  base: '<script>document.write(`<base href="$URL">`)</script><img src="picture">',
}

/** Declares `url` before a script, and replaces `$URL` in the script with the URL. */
const withUrl = (script: string, url: string): string => `const url = '${url}'; ${script.replaceAll('$URL', url)}`

/** Returns a page that makes all requests. At the end, it requests the image `/run/done` from an allowed origin. */
export const allRequests = (host: string, allowed: string): string => {
  const steps = Object.entries(REQUESTS).map(
    ([name, script]) => `try { (() => { ${withUrl(script, `http:${host}/run/${name}`)} })() } catch {}`,
  )
  const add = 'const add = (tag, values = {}) => document.body.appendChild(Object.assign(document.createElement(tag), values))'
  return `<body><p>start</p><script>${add}\n${steps.join('\n')}\nnew Image().src = 'http:${allowed}/run/done'</script>`
}

export const navigation = (host: string, name: string): string => {
  const url = `http:${host}/run/${name}`
  return `<body><p>start</p><script>const url = '${url}'</script>${NAVIGATIONS[name]?.replaceAll('$URL', url)}`
}
