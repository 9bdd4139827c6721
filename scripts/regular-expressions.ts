import { globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parseAst } from 'rolldown/parseAst'

export type Found = { readonly file: string; readonly pattern: string; readonly flags: string }

type Node = {
  readonly type?: string
  readonly regex?: { readonly pattern: string; readonly flags: string }
  readonly [key: string]: unknown
}

const root = join(import.meta.dirname, '..')

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null

/** A node and all its descendants. */
function* below(node: Node): Generator<Node> {
  yield node
  for (const value of Object.values(node)) {
    for (const one of Array.isArray(value) ? value : [value]) if (isNode(one)) yield* below(one)
  }
}

const sources = (): string[] =>
  globSync(['apps/{server,web}/src/**/*.{ts,tsx}', 'packages/{client,contract}/src/**/*.ts'], { cwd: root })
    .filter((file) => !/\.test\.|\/testing\//.test(file))
    .map((file) => join(root, file))
    .sort()

/** Finds every regular expression in the code of the server and the web app, and every place that builds one at run time. */
export const regularExpressions = (): { readonly literals: readonly Found[]; readonly made: readonly string[] } => {
  const literals: Found[] = []
  const made: string[] = []
  for (const path of sources()) {
    const text = readFileSync(path, 'utf8')
    if (!/[/]|RegExp/.test(text)) continue
    const file = relative(root, path)
    for (const node of below(parseAst(text, { lang: path.endsWith('x') ? 'tsx' : 'ts' }) as unknown as Node)) {
      if (node.regex !== undefined) literals.push({ file, ...node.regex })
      const callee = node['callee']
      const makes =
        (node.type === 'NewExpression' || node.type === 'CallExpression') && isNode(callee) && callee['name'] === 'RegExp'
      if (makes) made.push(file)
    }
  }
  return { literals, made }
}
