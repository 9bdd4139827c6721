/**
 * Builds the package for installation: the built server and web app with a launcher, without sources or a build step.
 *
 * node scripts/pack.mjs      prints the path of the tarball in `.cache/package`
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { cache, root, runMain, runOrThrow } from './lib/run.mjs'
import { pinnedNode, prepare } from './prepare.mjs'

const read = (path) => JSON.parse(readFileSync(join(root, path), 'utf8'))

/** Packages with compiled code can't be bundled, so npm installs them with Postil. All other packages are bundled. */
const NATIVE = ['@node-rs/argon2', '@node-rs/bcrypt', 'sqlite-vec']

const manifest = () => {
  const { name, version, description, license } = read('package.json')
  const { dependencies } = read('apps/server/package.json')
  return {
    name,
    version,
    description,
    license,
    type: 'module',
    engines: { node: '>=24' },
    bin: { [name]: 'bin/postil.cjs' },
    files: ['bin', 'dist', 'NOTICES.txt'],
    dependencies: Object.fromEntries(NATIVE.map((one) => [one, dependencies[one]])),
  }
}

const licenceIn = (folder) => {
  const file = readdirSync(folder).find((name) => /^(licen[cs]e|copying)(\.|-|$)/i.test(name))
  return file ? readFileSync(join(folder, file), 'utf8').trim() : null
}

/** The licenses of the bundled code: all production packages in the lock file. */
const notices = () => {
  const { packages } = read('package-lock.json')
  return Object.entries(packages)
    .filter(
      ([path, one]) => path.includes('node_modules/') && !one.dev && !one.link && !one.optional && existsSync(join(root, path)),
    )
    .map(([path, { version, license }]) => {
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
      return `${name} ${version} (${license ?? 'see below'})\n\n${licenceIn(join(root, path)) ?? `Licence: ${license}`}\n`
    })
    .join(`\n${'─'.repeat(80)}\n\n`)
}

/**
 * Builds outdated parts and packs them.
 * @returns {Promise<string>} the path of the tarball
 */
export const pack = async () => {
  await prepare()
  const home = join(cache, 'package')
  const folder = join(home, 'contents')
  rmSync(home, { recursive: true, force: true })
  mkdirSync(join(folder, 'bin'), { recursive: true })
  cpSync(join(root, 'apps/server/dist'), join(folder, 'dist'), { recursive: true })
  cpSync(join(root, 'apps/web/dist'), join(folder, 'dist/page'), { recursive: true })
  cpSync(join(root, 'scripts/package/postil.cjs'), join(folder, 'bin/postil.cjs'))
  for (const name of ['README.md', 'LICENSE']) cpSync(join(root, name), join(folder, name))
  writeFileSync(join(folder, 'NOTICES.txt'), notices())
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`)
  const output = await runOrThrow('npm', ['pack', '--json', '--pack-destination', home], { cwd: folder })
  const [{ filename }] = JSON.parse(output.slice(output.indexOf('[')))
  return join(home, filename)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await runMain(async () => {
    if (!existsSync(pinnedNode)) await prepare()
    console.log(await pack())
  })
}
