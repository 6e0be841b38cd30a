import json

json.dump({"written_by": "crawl", "at": "2026-11-30T02:10:44Z", "status": "partial", "files": []}, open("crawl_manifest.json", "w"))
