import { createHash } from 'node:crypto'
import { CARD } from './card.ts'
import { achievement, percent, type SharedProgress } from './progress.ts'

/** Redirects people to the dataset when they open the link. Link previews read only the page's head. */
const SCRIPT = "location.replace(document.getElementById('go').href)"

/** Content security policy that allows only the script above to run and nothing to be loaded. */
export const sharePolicy = [
  "default-src 'none'",
  `script-src 'sha256-${createHash('sha256').update(SCRIPT).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const escaped = (text: string): string => text.replace(/[&<>"'`=]/g, (letter) => `&#${letter.charCodeAt(0)};`)

/** @param addresses the dataset's URL, which may be relative, and the image's URL, which must be absolute */
export const sharePage = (
  progress: SharedProgress,
  addresses: { readonly dataset: string; readonly imageUrl: string },
): string => {
  const title = progress.dataset_name === '' ? 'Postil' : progress.dataset_name
  const description = `${achievement(progress)}. Team progress: ${percent(progress)}%.`
  const tags: readonly (readonly [string, string, string])[] = [
    ['name', 'description', description],
    ['property', 'og:type', 'website'],
    ['property', 'og:site_name', 'Postil'],
    ['property', 'og:title', title],
    ['property', 'og:description', description],
    ['property', 'og:image', addresses.imageUrl],
    ['property', 'og:image:type', 'image/png'],
    ['property', 'og:image:width', String(CARD.width)],
    ['property', 'og:image:height', String(CARD.height)],
    ['property', 'og:image:alt', description],
    ['name', 'twitter:card', 'summary_large_image'],
    ['name', 'twitter:title', title],
    ['name', 'twitter:description', description],
    ['name', 'twitter:image', addresses.imageUrl],
  ]
  const metas = tags.map(([kind, key, content]) => `<meta ${kind}="${key}" content="${escaped(content)}">`)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escaped(title)}</title>
${metas.join('\n')}
</head>
<body>
<main>
<h1>${escaped(title)}</h1>
<p>${escaped(description)}</p>
<p><a id="go" href="${escaped(addresses.dataset)}">Open dataset</a></p>
</main>
<script>${SCRIPT}</script>
</body>
</html>
`
}
