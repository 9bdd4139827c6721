import { Canvas } from './canvas.ts'
import { spell, spellWithin, widthOf } from './letters.ts'
import { deed, percent, type SharedProgress } from './progress.ts'

/** What those who show a link make room for. */
export const CARD = { width: 1200, height: 630 } as const
const MARGIN = 88
const WIDTH = CARD.width - 2 * MARGIN

/** The mark of the page: a text with a note in its margin. */
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

/** The picture of somebody's progress, as PNG. A name in letters that we cannot draw is left out. */
export const drawCard = (progress: SharedProgress): Promise<Buffer> => {
  const canvas = new Canvas(CARD.width, CARD.height)
  canvas.box(0, 0, 14, CARD.height, 'accent')
  drawMark(canvas, MARGIN, 84)
  canvas.text(MARGIN + 64, 116, spell('note', 'Postil') ?? [], 'ink')
  canvas.text(MARGIN, 262, spellWithin('title', progress.dataset_name, WIDTH) ?? [], 'ink')
  const figure = spell('figure', `${percent(progress)}%`) ?? []
  canvas.text(MARGIN - 6, 432, figure, 'accent')
  canvas.text(MARGIN + widthOf(figure) + 22, 432, spell('note', 'done by the team') ?? [], 'quiet')
  canvas.box(MARGIN, 468, WIDTH, 20, 'line', 10)
  const done = Math.round((WIDTH * progress.team_progress) / 100)
  if (done > 0) canvas.box(MARGIN, 468, Math.max(done, 20), 20, 'accent', 10)
  const said = spellWithin('note', deed(progress), WIDTH) ?? spell('note', deed({ ...progress, user_name: '' })) ?? []
  canvas.text(MARGIN, 552, said, 'ink')
  return canvas.png()
}
