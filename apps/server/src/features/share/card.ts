import { Canvas } from './canvas.ts'
import { fitLetters, lettersFor, widthOf } from './letters.ts'
import { achievement, percent, type SharedProgress } from './progress.ts'

/** The size that sites reserve for a link preview. */
export const CARD = { width: 1200, height: 630 } as const
const MARGIN = 88
const WIDTH = CARD.width - 2 * MARGIN

/** Draws the web app's logo: text with a note in its margin. */
const drawMark = (canvas: Canvas, left: number, top: number): void => {
  const boxes = [
    [4, 6, 14, 3],
    [4, 13.5, 14, 3],
    [4, 21, 9, 3],
    [21, 6, 3, 20],
    [24, 6, 4, 4],
    [24, 13.5, 4, 4],
  ] as const
  boxes.forEach(([x, y, width, height], i) => {
    canvas.box(left + (x - 4) * 2, top + (y - 6) * 2, width * 2, height * 2, i < 3 ? 'ink' : 'accent')
  })
}

/** Draws an image of a user's progress, as PNG. Names with letters that can't be drawn are left out. */
export const drawCard = (progress: SharedProgress): Promise<Buffer> => {
  const canvas = new Canvas(CARD.width, CARD.height)
  canvas.box(0, 0, 14, CARD.height, 'accent')
  drawMark(canvas, MARGIN, 84)
  canvas.text(MARGIN + 64, 116, lettersFor('note', 'Postil') ?? [], 'ink')
  canvas.text(MARGIN, 262, fitLetters('title', progress.dataset_name, WIDTH) ?? [], 'ink')
  const figure = lettersFor('figure', `${percent(progress)}%`) ?? []
  canvas.text(MARGIN - 6, 432, figure, 'accent')
  canvas.text(MARGIN + widthOf(figure) + 22, 432, lettersFor('note', 'done by the team') ?? [], 'quiet')
  canvas.box(MARGIN, 468, WIDTH, 20, 'line', 10)
  const done = Math.round((WIDTH * progress.team_progress) / 100)
  if (done > 0) canvas.box(MARGIN, 468, Math.max(done, 20), 20, 'accent', 10)
  const line =
    fitLetters('note', achievement(progress), WIDTH) ?? lettersFor('note', achievement({ ...progress, user_name: '' })) ?? []
  canvas.text(MARGIN, 552, line, 'ink')
  return canvas.png()
}
