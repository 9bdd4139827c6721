const fence = /^ {0,3}(`{3,}|~{3,})/

/** Returns the closing marks of the code fence that is open after a line, or null if none is open. */
export const fenceAfter = (line: string, open: string | null): string | null => {
  const marks = fence.exec(line)?.[1]
  if (marks === undefined) return open
  if (open === null) return marks
  const closes = marks[0] === open[0] && marks.length >= open.length && line.trim() === marks
  return closes ? null : open
}
