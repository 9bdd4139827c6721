/** Escapes control characters in names and keys, because a terminal would interpret them. */
export const printable = (line: string): string =>
  line.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (char) => `\\u{${char.codePointAt(0)?.toString(16)}}`)

/** Formats rows as lines with aligned columns. */
export const columns = (rows: readonly (readonly string[])[]): string[] => {
  const shown = rows.map((row) => row.map(printable))
  const widths = shown.reduce<number[]>((most, row) => row.map((cell, i) => Math.max(most[i] ?? 0, cell.length)), [])
  return shown.map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}
