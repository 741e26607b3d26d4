"""The commands that the Arduino IDE, arduino-builder and arduino-cli call (docs/reference/arduino-tools.md).

    install      puts the two platforms, arduino/ide/, into a sketchbook                platform.py
    prepare      builds the board's libraries before a build                            recipes.py
    preprocess   preprocesses a source, which shows the builder what it includes        each_file.py
    compile      writes a note about a source as its object                             each_file.py
    prototypes   reports none for the sketch: `link` makes them                         each_file.py
    link         builds the noted sources, as `hocket build` does, and checks them      linking.py
    size, upload                                                                        recipes.py

The stack size of a sketch's loop is known only for the whole program, and every source is compiled with it.
So nothing is compiled before all sources are known.
"""
