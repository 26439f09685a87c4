// Calls a plugin's hooks as OpenCode does, one after another. Standard input: {file, copies, directory,
// parents: {session: parent}, steps: [[hook, input, output]]}; standard output: the outputs after it, of a hook without one its input.
import { readFileSync } from "node:fs"

const { file, copies = 1, directory, parents = {}, steps } = JSON.parse(readFileSync(0, "utf8"))
const client = {
  session: { get: async ({ path }) => ({ data: { id: path.id, parentID: parents[path.id] } }) },
}
const { Siltstone } = await import(file)
const all = []
for (let n = 0; n < copies; n++) all.push(await Siltstone({ client, directory }))
const outputs = []
for (const [hook, input, output] of steps) {
  for (const hooks of all) await hooks[hook]?.(input, output)
  outputs.push(output ?? input ?? null)
}
process.stdout.write(JSON.stringify({ hooks: Object.keys(all[0]), outputs }))
