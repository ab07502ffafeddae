// Pieces of code in commands that write nothing guarded: names in code are no files, and reading is free.

export const CODE: string[] = [
  "node -e \"const fs = require('fs'); fs.writeFileSync('b.json', JSON.stringify(list.map((x) => x.key)))\"",
  'python3 - <<\'EOF\'\nwith open("out.txt", "w") as f:\n    f.write(f"{item.key}: {item.value}" + item.key)\nEOF',
  'python3 -c "import json; print(json.dumps(json.load(open(\'.claude/settings.json\')), indent=2))"',
  "python3 -c \"print(open('.env').read().replace('a', 'b'))\"",
  "node -e \"console.log(require('fs').readFileSync('.env', 'utf8').length)\"",
  'ruby -e \'puts File.read(".env").lines.size\'',
  'python3 deploy.py -c credentials.json --write',
];
