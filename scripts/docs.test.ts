import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { endpoints } from '@postil/contract/endpoints.ts'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
const pages = globSync(['*.md', 'docs/**/*.md', 'deploy/**/*.md'], { cwd: root })
const read = (page: string): string => readFileSync(join(root, page), 'utf8')

/** The page without its blocks of code, whose comments look like headings. */
const proseOf = (page: string): string => read(page).replaceAll(/^```.*?^```/gms, '')

/** The anchor of a heading, as GitHub generates it. */
const anchorOf = (heading: string): string =>
  heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-')

const anchors = new Map(
  pages.map((page) => [page, new Set([...proseOf(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading)))]),
)

it('links only to headings that exist', () => {
  const broken = pages.flatMap((page) =>
    [...proseOf(page).matchAll(/\]\(([^)\s:#]*)#([^)\s]+)\)/g)]
      .filter(([, path = '', anchor = '']) => {
        const target = path === '' ? page : normalize(join(dirname(page), path))
        return anchors.get(target)?.has(anchor) === false
      })
      .map(([link]) => `${page}: ${link}`),
  )
  expect(broken).toEqual([])
})

it('describes every addition to the published wire', () => {
  const page = read('docs/wire-additions.md').replaceAll(/\{[^}/ ]*\}/g, ':_')
  const missing = endpoints
    .filter(({ addition }) => addition === true)
    .map(({ method, path }) => ({ method, path: path.replaceAll(/:\w+/g, ':_') }))
    .filter(({ method, path }) => !new RegExp(`${method}( and [A-Z]+)? ${path}(?![\\w/])`).test(page))
  expect(missing).toEqual([])
})
