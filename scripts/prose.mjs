/**
 * Finds phrases that sound translated in interface texts, documentation, comments and test titles. If a reviewer had to read a
 * phrase twice, it belongs in this list. This script is plain JavaScript without dependencies, so it runs before anything is
 * installed.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const root = resolve(import.meta.dirname, '..')

/** Each phrase, and what to write instead. */
const PHRASES = [
  [/\banew\b/i, 'again'],
  [/\bso (many|much)\b(?! (as|that|more|less)\b)/i, 'that many, this much'],
  [/\bwhoever\b/i, 'anyone who, the person who'],

  [/\bmeanwhile\b/i, 'while …, at the same time'],
  [/\bin hand\b/i, 'leased, in progress'],
  [/\btak(e|en|es|ing) along\b/i, 'save for offline use'],
  [/\b(go|goes|going|gone|went) on with\b/i, 'continue, resume'],
  [/\bturn about\b/i, 'alternately'],
  [/\bas (it|they) stands?\b/i, 'current, unchanged'],
  [/\bof (theirs|ours|hers)\b/i, 'their …'],
  [/\bfor good\b/i, 'permanently'],
  [/\b(is|are|was|were|be|been|being|not) told\b/i, 'is notified, is shown, receives'],
  [/\btells? (of|that)\b/i, 'reports, says'],
  [/\bby now\b/i, 'already, no longer'],
  [/\bof it[.,;:]/i, 'its …'],
  [/\b(can|may|could|to) be had\b/i, 'is available'],
  [/\bgives? back\b/i, 'returns, releases'],
  [/\bnobody else's\b/i, 'unique'],
  [/\b(on|in) the way\b/i, 'in progress, in transit'],
  [/\bof (?:its|their|one's) own accord\b/i, 'automatically'],
  [/\bone's own\b/i, 'your own, their own'],
  [/\bstands? (?:in|at|behind|before|beside|under|there)\b/i, 'is in, is located in'],
  [/\blies? (?:in|at|behind|before|beside|under|there)\b/i, 'is stored in'],
  [/\bbeside (?:it|them|what)\b/i, 'next to, in addition to'],
  [/\bas long as it takes\b/i, 'until done'],
  [/\bat hand\b/i, 'available'],
  [/\bout of reach\b/i, 'unreachable, unavailable'],
  [/\bmore than one may\b/i, 'above the limit'],
  [/\bpictures?\b/i, 'image'],
  [/\bchanges? of (?:an?|the|its|their|many|few|labels|assignments|answers|records)\b/i, 'a change to …, a label change'],
  [/, also (?:if|when|while|after|without|under|during|on|in|inside|for|with|by|to|from)\b/, 'even if …, including on …'],
  [/\bhand(?:s|ed)? out\b(?! passwords)/i, 'assign'],
  [/\bsays? (?:little|enough)\b/i, 'is meaningful, is sufficient'],
  [/\b(?:has|have) no place for\b/i, "can't represent"],
  [/\bsurvives? a (?:kill|crash)\b/i, 'continues after its process is killed'],
  [/\bstays? as (?:it|they) (?:is|are)\b/i, "doesn't change, isn't affected"],
  [/\bbecame of\b/i, 'what happened to, the outcome of'],
  [/\bfree texts\b/i, 'free text'],
  [/\btime stamps?\b/i, 'timestamp'],
  [/\d %(?=[\s.,;:)]|$)(?! ?\d)/, '95%'],
]

/** A comment line. */
const COMMENT = /(?:^|\s)(?:\/\/|\/\*\*?|\*|#) ?(?<text>.*)$/
const TITLE = /\b(?:test|describe|it)(?:\.\w+)*(?:\([^)]*\))?\(\s*(?<text>'[^']+'|"[^"]+"|`[^`]+`)/

/** The prose of a line, or null for code. */
const proseOf = (path, line) => {
  if (path.endsWith('.md')) return line
  if (path.endsWith('.json')) return /^\s*"[^"]+": "(?<text>.*)",?$/.exec(line)?.groups?.text ?? null
  if (/^\s*(?:\/\/|\/\*|\*|#(?!!|\w))/.test(line)) return COMMENT.exec(line)?.groups?.text ?? null
  return TITLE.exec(line)?.groups?.text ?? /\s\/\/ (?<text>.*)$/.exec(line)?.groups?.text ?? null
}

const withoutCode = (text) =>
  text
    .replace(/`[^`]*`/g, '')
    .replace(/\]\([^)]*\)/g, ']')
    .replace(/https?:\S+/g, '')

/**
 * Whether a file is checked. English UI strings and documentation are checked completely. In sources, comments and test titles
 * are checked.
 */
const isChecked = (path) =>
  !/^docs\/measurements\//.test(path) &&
  path !== 'scripts/prose.mjs' &&
  path !== 'docs/glossary.md' &&
  !/\.gen\.ts$/.test(path) &&
  (/\.(md|ts|tsx|mjs|cjs|css|py|sh)$/.test(path) || /(messages|common)\.en\.json$/.test(path))

/** Finds the listed phrases in a text. Returns lines of the form `path:line: “phrase” → replacement`. */
export const findPhrases = (path, source) => {
  let isFenced = false
  return source.split('\n').flatMap((line, index) => {
    if (path.endsWith('.md') && /^\s*```/.test(line)) isFenced = !isFenced
    const prose = isFenced ? null : proseOf(path, line)
    if (prose === null) return []
    const text = withoutCode(prose)
    return PHRASES.flatMap(([pattern, instead]) => {
      const found = pattern.exec(text)
      return found ? [`${path}:${index + 1}: “${found[0]}” → ${instead}`] : []
    })
  })
}

const files = () =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((path) => path !== '' && isChecked(path) && existsSync(join(root, path)))

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const found = files().flatMap((path) => findPhrases(path, readFileSync(join(root, path), 'utf8')))
  for (const line of found) console.error(line)
  if (found.length > 0) {
    console.error(`${found.length} phrases to rewrite. See the writing rules in CONTRIBUTING.md.`)
    process.exitCode = 1
  }
}
