import { createHash } from 'node:crypto'
import type { Answer, OpenApi, Operation, Parameter } from './openapi.ts'

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 0 auto; padding: 2rem 1rem 4rem; }
h1 { margin: 0; font-size: 1.75rem; }
h2 { margin: 2.5rem 0 .5rem; font-size: 1.125rem; text-transform: capitalize; }
h3 { margin: 1rem 0 .25rem; font-size: .875rem; }
h4 { margin: .5rem 0 .25rem; font-size: .8125rem; font-weight: 500; }
nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1rem; padding: 0; list-style: none; text-transform: capitalize; }
details { border-block-start: 1px solid color-mix(in srgb, currentColor 20%, transparent); }
summary { display: flex; flex-wrap: wrap; gap: 0 .75rem; padding: .5rem .25rem; cursor: pointer; }
summary:hover { background: color-mix(in srgb, currentColor 6%, transparent); }
.method { min-width: 4.5rem; font-weight: 600; }
.path, pre, td code { font-family: ui-monospace, monospace; font-size: .875rem; overflow-wrap: anywhere; }
.about { flex-basis: 100%; }
.inside { padding: 0 .25rem 1rem; }
pre { max-height: 24rem; margin: 0; padding: .75rem; overflow: auto; background: color-mix(in srgb, currentColor 6%, transparent); }
table { border-collapse: collapse; }
th, td { padding: .25rem 1rem .25rem 0; text-align: start; vertical-align: top; }
`
const styleHash = createHash('sha256').update(STYLE).digest('base64')

/** The page runs no scripts and loads no resources. */
export const docsPolicy = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

const text = (value: string): string => value.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`)
const pretty = (schema: unknown): string => `<pre tabindex="0"><code>${text(JSON.stringify(schema, null, 2))}</code></pre>`

const exampleHtml = (example: unknown): string => (example === undefined ? '' : `<h4>Example</h4>${pretty(example)}`)

const parameterRow = ({ name, in: where, required, schema, example }: Parameter): string =>
  `<tr><td><code>${text(name)}</code></td><td>${where}${required ? ', required' : ''}</td><td><code>${text(JSON.stringify(schema))}</code></td><td><code>${example === undefined ? '' : text(String(example))}</code></td></tr>`

const parametersHtml = (parameters: readonly Parameter[]): string =>
  parameters.length === 0
    ? ''
    : `<h3>Parameters</h3><table><thead><tr><th scope="col">Name</th><th scope="col">In</th><th scope="col">Schema</th><th scope="col">Example</th></tr></thead><tbody>${parameters.map(parameterRow).join('')}</tbody></table>`

const bodyHtml = ({ requestBody }: Operation): string => {
  if (requestBody === undefined) return ''
  const first = Object.values(requestBody.content)[0]
  return `<h3>Body, ${Object.keys(requestBody.content).map(text).join(' or ')}</h3>${exampleHtml(first?.example)}<h4>Schema</h4>${pretty(first?.schema)}`
}

const answerHtml = ([status, { description, content }]: [string, Answer]): string => {
  const { schema, example } = content?.['application/json'] ?? {}
  const isShared = schema !== undefined && '$ref' in schema
  return `<h3>${status}: ${text(description)}</h3>${schema === undefined || isShared ? '' : `${exampleHtml(example)}<h4>Schema</h4>${pretty(schema)}`}`
}

const operationHtml = (path: string, method: string, operation: Operation): string =>
  `<details><summary><span class="method">${method.toUpperCase()}</span> <span class="path">${text(path)}</span> <span class="about">${text(operation.summary)}</span></summary>
<div class="inside">${operation.description === undefined ? '' : `<p>${text(operation.description)}</p>`}${parametersHtml(operation.parameters)}${bodyHtml(operation)}${Object.entries(operation.responses).map(answerHtml).join('')}</div></details>`

const anchor = (tag: string): string => tag.replaceAll(' ', '-')

/** Renders the documentation as a self-contained page without scripts. */
export const docsPage = ({ info, tags, paths }: OpenApi): string => {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  const sections = tags.map(({ name }) => {
    const own = operations.filter(({ operation }) => operation.tags.includes(name))
    return `<section><h2 id="${anchor(name)}">${text(name)}</h2>${own.map((one) => operationHtml(one.path, one.method, one.operation)).join('\n')}</section>`
  })
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${text(info.title)} API</title><style>${STYLE}</style></head>
<body>
<main>
<h1>${text(info.title)} API</h1>
<p>${text(info.description)} Version ${text(info.version)}. Machine-readable version: <a href="openapi.json">openapi.json</a>.</p>
<nav aria-label="Sections"><ul>${tags.map(({ name }) => `<li><a href="#${anchor(name)}">${text(name)}</a></li>`).join('')}</ul></nav>
${sections.join('\n')}
</main>
</body>
</html>
`
}
