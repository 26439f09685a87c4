// Calls a plugin's hooks as OpenCode does, one after another. Standard input: {file, copies, directory,
// parents: {session: parent}, at_once, steps: [[hook, input, output]]}; standard output: the outputs after it,
// of a hook without one its input, and the toasts that were shown.
import { readFileSync } from "node:fs"

const { file, copies = 1, directory, parents = {}, at_once = false, steps } = JSON.parse(readFileSync(0, "utf8"))
const toasts = []
const client = {
  tui: { showToast: async ({ body }) => void toasts.push(body.message) },
  session: { get: async ({ path }) => ({ data: { id: path.id, parentID: parents[path.id] } }) },
}
const { Siltstone } = await import(file)
const all = []
for (let n = 0; n < copies; n++) all.push(await Siltstone({ client, directory }))
const play = async ([hook, input, output]) => {
  for (const hooks of all) await hooks[hook]?.(input, output)
  return output ?? input ?? null
}
const outputs = []
if (at_once) outputs.push(...(await Promise.all(steps.map(play))))
else for (const step of steps) outputs.push(await play(step))
process.stdout.write(JSON.stringify({ hooks: Object.keys(all[0]), outputs, toasts }))
